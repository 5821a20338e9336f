/** What happened since the own last turn is told at the beginning of a turn, and again when it is asked for. */

import type { Browser } from "playwright-core";
import { expect, test } from "vitest";

import { complaints, DESK, open, PHONE, ready, Server, sit, stage, through } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
});

const TURN =
  "europe; rules standard target=90; round 2; turn 1 start; seat 1 vp=20 | DIP+SPE reserve=8 BOH BAV SAX; " +
  "seat 2 dummy vp=12 | WEA+MIL POL=4 LIV=3; seat 3 dummy vp=14 | AST+BAR NEU=5 AQU=4";

test.each([
  ["desk", DESK],
  ["phone", PHONE],
])("losses and turns of others are told with arrows, until something is chosen: %s", async (_, screen) => {
  const id = await server.solo({ position: TURN, seed: "recap" });
  const page = await open(running, server, `/m/${id}`, screen);
  await sit(page, "Ann");
  const news = page.locator(".news li");
  const arrows = page.locator(".arrows g");
  await page.locator(".chips button").first().waitFor();
  expect(await news.count()).toBe(0); // nothing was scored yet
  await page.getByRole("button", { name: "Recap" }).click();
  expect(await news.innerText()).toContain("Your goal: the most VP when somebody reaches 90.");
  await page.locator(".chips button").filter({ hasText: "Pomerania" }).click();
  await ready(page);
  expect(await news.count()).toBe(0);
  await through(page, async () => await page.locator(".play .act").click());
  await page.getByRole("button", { name: "End the conquests" }).click();
  await ready(page);
  await through(page, async () => await page.locator(".play .act").click());
  const check = async (): Promise<readonly string[]> => {
    await expect.poll(async () => await arrows.count()).toBeGreaterThan(1);
    const told = await news.allInnerTexts();
    expect(told.join("\n")).toMatch(/Your last turn took Pomerania and scored \d+ VP\./);
    expect(told.slice(-2).join("\n")).toMatch(/dummy \(\d\): \d+ provinces? conquered.*; scored \d+ VP and then had \d+\.\s+.*dummy \(\d\)/s);
    return told;
  };
  const told = await check();
  expect(await complaints(page)).toEqual([]);
  await page.reload();
  await page.locator(".play .act").waitFor();
  expect(await check()).toEqual(told);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  expect([await news.count(), await arrows.count()]).toEqual([0, 0]);
  await page.getByRole("button", { name: "Recap" }).click();
  expect(await check()).toEqual(told);
  await page.getByRole("button", { name: "Suggest" }).click();
  await page.locator(".suggestion b").waitFor();
  expect(await news.count()).toBe(0); // a suggestion has its room
  await page.keyboard.press("r");
  expect(await check()).toEqual(told);
  await page.keyboard.press("r");
  expect(await news.count()).toBe(0);
  await page.context().close();
});
