/** The rules: at their address, over a match, and where a refusal leads. */

import type { Browser } from "playwright-core";
import { expect, test } from "vitest";

import { STATES } from "./states";
import { complaints, DESK, open, PHONE, Server, sit, stage } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--bots", "");

test("an address leads to a rule, links go on to others, and back", async () => {
  const page = await open(running, server, "/rules#R-CONQ-3", PHONE);
  const rule = page.locator("#rules-R-CONQ-3");
  await rule.waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "rules-R-CONQ-3");
  const { y = 0 } = (await rule.boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThan(300);
  expect(await complaints(page)).toEqual([]);
  await page.locator("#rules-R-REDEP-3").getByRole("link", { name: "R-DUMMY-4" }).click();
  await page.waitForFunction(() => document.activeElement?.id === "rules-R-DUMMY-4");
  expect(new URL(page.url()).hash).toBe("#R-DUMMY-4");
  await page.locator("#rules-R-DUMMY-7").getByRole("link", { name: "Options" }).click();
  await page.waitForFunction(() => document.activeElement?.id === "rules-12"); // in a part that was closed
  await page.goBack();
  await page.waitForFunction(() => document.activeElement?.id === "rules-R-DUMMY-4");
  await page.goBack();
  await page.waitForFunction(() => document.activeElement?.id === "rules-R-CONQ-3");
  await page.context().close();
});

test("words are found, also in another language, and what has none of them is left out", async () => {
  for (const [language, label, words, trait] of [["en", "Search the rules", "medicine mobilisation", "Medicine"], ["de", "Regeln durchsuchen", "medizin mobilisieren", "Medizin"]] as const) {
    const page = await open(running, server, "/rules", DESK);
    await page.evaluate((language) => localStorage.setItem("vinci-settings", JSON.stringify({ language })), language);
    await page.reload();
    const field = page.getByRole("searchbox", { name: label });
    await page.locator("#rules-11").scrollIntoViewIfNeeded();
    await field.fill(words);
    await page.waitForFunction(() => {
      const hit = document.querySelector("mark")?.getBoundingClientRect();
      return hit && hit.top > 0 && hit.bottom < innerHeight;
    });
    await page.getByRole("row", { name: new RegExp(`^${trait}`) }).waitFor();
    expect(await page.locator("#rules-R-CONQ-3").count()).toBe(0);
    expect(await page.locator("mark").count()).toBeGreaterThan(1);
    await field.fill("xyzzy");
    await page.locator(".rules-search [role=status]").filter({ hasText: /\S/ }).waitFor();
    expect(await page.locator(".rules-text section").count()).toBe(0);
    await page.context().close();
  }
});

test("the link to the tutorial says when the server cannot be reached", async () => {
  const gone = await Server.start("--bots", "");
  const page = await open(running, gone, "/rules", PHONE);
  const link = page.getByRole("link", { name: "The tutorial" });
  await link.waitFor();
  await gone.stop();
  await link.click();
  await page.getByRole("alert").filter({ hasText: "This cannot be loaded." }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/rules");
  await page.context().close();
});

test("over a match they open and close, and the match stays", async () => {
  for (const screen of [PHONE, DESK]) {
    const page = await (STATES["conquer"] ?? expect.fail())({ server, running, screen });
    const before = page.url();
    await page.getByRole("link", { name: "Rules" }).click();
    const dialog = page.getByRole("dialog", { name: "Rules" });
    await dialog.getByRole("heading", { name: "The game in short" }).waitFor();
    expect(await complaints(page)).toEqual([]);
    await dialog.getByText("Contents", { exact: true }).click();
    await dialog.getByRole("link", { name: "4. Decline" }).click();
    await page.waitForFunction(() => document.activeElement?.id === "rules-4");
    expect(page.url()).toBe(before);
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(await dialog.count()).toBe(0);
    expect(await page.locator(".play .prompt").count()).toBe(1);
    await page.context().close();
  }
});

test("a refusal leads to the rule that it names", async () => {
  const position =
    "europe; rules standard target=90; round 2; turn 1 conquer; seat 1 vp=20 | WEA+CUR reserve=5 BOH=2 BAV=2 SAX=2; " +
    "seat 2 dummy vp=12 | MIL+POR POL=4 LIV=3; seat 3 dummy vp=14 | AST+BAR NEU=5 AQU=4";
  const page = await open(running, server, `/m/${await server.solo({ position })}`, PHONE);
  await sit(page, "Ann");
  await page.locator('.modes [data-mode="hold"]').tap();
  const less = page.getByRole("button", { name: "One pawn less in Bavaria" });
  while (await less.isEnabled()) {
    await less.tap();
    await page.getByRole("button", { name: "One pawn more in Bohemia" }).tap();
  }
  await page.locator(".preview.bad").getByRole("link", { name: "R-REORG-3" }).tap();
  await page.waitForFunction(() => document.activeElement?.id === "rules-R-REORG-3");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".preview.bad").waitFor(); // the placement is as it was
  await page.context().close();
});
