/** The log of a long match: only the rows in view and around them are elements, and every row can be reached. */

import type { Browser } from "playwright-core";
import { expect, test } from "vitest";

import { CONQUER } from "./states";
import { complaints, DESK, open, PHONE, Server, stage, wholeLog } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--bots", "", "--advice-workers", "0");

const ACTIONS = 300;

test("a long log has few elements, stays where one reads, follows its end, and is read by keyboard", async () => {
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { position: CONQUER, startWhenFull: true });
  const id = match.matchId;
  const { seatToken } = await server.call<{ seatToken: string }>("LobbyService/JoinMatch", { matchId: id, player: "Ann" });
  let number = 0;
  const act = async (): Promise<void> => {
    number += 1;
    const [path, what] = number % 2 === 0 ? ["Undo", {}] : ["Act", { actions: [{ notation: "x SAX" }] }];
    await server.call(`MatchService/${path}`, { matchId: id, requestId: String(number), ...what }, seatToken);
  };
  for (let count = 0; count < ACTIONS; count += 1) await act();
  for (const screen of [DESK, PHONE]) {
    const page = await open(running, server, `/m/${id}`, screen);
    const rows = page.locator(".log li");
    const last = page.locator(".log li:last-child");
    const places = async (): Promise<readonly number[]> => await rows.evaluateAll((all) => all.map((row) => Number(row.ariaPosInSet)));
    const count = ACTIONS; // a row for each conquest, and one for each that was taken back
    await expect.poll(async () => (await places()).at(-1)).toBeGreaterThanOrEqual(count); // it begins at its end
    const all = Number(await last.getAttribute("aria-setsize"));
    expect(await rows.count()).toBeLessThan(80);
    expect(await complaints(page)).toEqual([]);
    const texts = await wholeLog(page);
    expect(texts).toHaveLength(all);
    expect(texts.filter((text) => !/conquers Saxony|evacuates|takes back/.test(text)).slice(0, 4)).toEqual([]);
    const log = page.getByRole("group", { name: "Log", exact: true });
    await log.focus();
    await page.keyboard.press("Home");
    await expect.poll(async () => (await places())[0]).toBe(1);
    const read = rows.nth(5);
    const place = async (): Promise<number> => ((await read.boundingBox())?.y ?? 0) - ((await log.boundingBox())?.y ?? 0);
    const before = await place();
    await act();
    await expect.poll(async () => Number(await rows.first().getAttribute("aria-setsize"))).toBeGreaterThan(all);
    expect(await place()).toBe(before);
    const toEnd = async (): Promise<number> => await log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    await page.keyboard.press("End");
    await expect.poll(toEnd).toBeLessThan(1);
    await expect.poll(async () => (await places()).at(-1)).toBeGreaterThan(all);
    await act();
    await expect.poll(async () => (await places()).at(-1)).toBeGreaterThan(all + 1); // the end is followed
    expect(await rows.count()).toBeLessThan(80);
    await expect.poll(toEnd).toBeLessThan(1);
    await log.evaluate(async (log) => {
      log.scrollTop -= 2;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      log.scrollTop += 2; // its event comes when the list is lower already
      log.style.flex = "none";
      log.style.height = "3rem";
    });
    await act();
    await expect.poll(async () => (await places()).at(-1)).toBeGreaterThan(all + 2);
    await expect.poll(toEnd).toBeLessThan(24);
    await page.context().close();
  }
});
