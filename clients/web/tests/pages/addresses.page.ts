/** Addresses that are unknown, and that of a match that is seen again. */

import type { Browser } from "playwright-core";
import { expect, test } from "vitest";

import { STATES } from "./states";
import { complaints, DESK, open, PHONE, Server, stage } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--bots", "");

test("an unknown address and an unknown match lead to the matches", async () => {
  for (const [path, status] of [["/nothing", 404], ["/m/%zz", 404], ["/m/nothing", 200]] as const) {
    const page = await open(running, server, "/", PHONE);
    const answer = await page.goto(server.url + path);
    expect(answer?.status(), path).toBe(status);
    const link = page.locator("main").getByRole("link", { name: "To the matches" });
    await link.waitFor();
    expect(await complaints(page), path).toEqual([]);
    await link.click();
    await page.waitForURL(`${server.url}/`);
    await page.context().close();
  }
});

test("back from a match that is seen again leads to its end, forward and loading again to the replay", async () => {
  const page = await (STATES["replay"] ?? expect.fail())({ server, running, screen: DESK });
  const film = page.locator(".film");
  const end = page.locator(".outcome").first();
  await page.goBack();
  await end.waitFor();
  expect(await film.count()).toBe(0);
  await page.goForward();
  await film.waitFor();
  await page.reload();
  await film.waitFor();
  await page.getByRole("button", { name: "Back to the end of the match" }).click();
  await end.waitFor();
  expect(page.url()).not.toContain("#");
  await page.context().close();
});

test("a long word in the chat is wrapped", async () => {
  for (const screen of [DESK, PHONE]) {
    const page = await (STATES["chat"] ?? expect.fail())({ server, running, screen });
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("a".repeat(300));
    await page.getByRole("textbox", { name: "Message" }).press("Enter");
    const line = page.locator(".chat li").filter({ hasText: "aaaa" }).locator("span").last();
    await line.waitFor();
    const fits = await line.evaluate((found) => {
      const list = found.closest("ol");
      const text = document.createRange();
      text.selectNodeContents(found);
      const right = Math.max(...[...text.getClientRects()].map((box) => box.right));
      return list !== null && list.scrollWidth <= list.clientWidth && right <= list.getBoundingClientRect().right;
    });
    expect(fits).toBe(true);
    await page.context().close();
  }
});
