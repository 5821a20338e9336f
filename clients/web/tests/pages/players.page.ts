/** The players of a server: order, provisional ratings, one player with replays, pages, and servers without a list. */

import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";

import { complaints, DESK, introduce, open, PHONE, Server, stage } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--bots", "", "--limit", "calls_per_second=1000");

/** Games after which the same few people are compared well enough. */
const ENOUGH = 12;
/** Games of three new players each, after which there is more than one page. */
const CROWD = 17;

/** Play a game of three that the first one wins, as the others leave it, the last one first; return its id. */
async function play(...names: readonly [string, string, string]): Promise<string> {
  const seats = names.map(() => ({ kind: "SEAT_KIND_HUMAN" }));
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { seats, startWhenFull: true });
  const { matchId } = match;
  const tokens: string[] = [];
  for (const player of names) tokens.push((await server.call<{ seatToken: string }>("LobbyService/JoinMatch", { matchId, player })).seatToken);
  for (const seat of [3, 2]) {
    const actions = [{ notation: `forfeit ${seat}` }];
    await server.call("MatchService/Act", { matchId, requestId: String(seat), actions }, tokens[seat - 1]);
  }
  return matchId;
}

/** Wait until a page has the list with all games, and return the cells of its rows. */
async function rows(page: Page): Promise<string[][]> {
  await page.locator("table").waitFor();
  await page.getByText("The latest games are being counted.").waitFor({ state: "detached" });
  return await page.locator("tbody tr").evaluateAll((found) =>
    found.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())),
  );
}

/** Expect no complaint about a page in either theme. */
async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ["light", "dark"]) {
    await page.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
    expect(await complaints(page), theme).toEqual([]);
  }
}

test("the lobby leads to the list, which says so while there are no players, and then has them by their ratings", async () => {
  const page = await open(running, server, "/", PHONE);
  await introduce(page, "Ann");
  await page.getByRole("link", { name: "Players and their ratings" }).tap();
  await page.getByText("No game has finished yet that counts for ratings.").waitFor();
  await expectAccessible(page);
  let last = "";
  for (let game = 0; game < ENOUGH; game += 1) last = await play("Ann", "Ben", "Cid");
  await play("Dora", "Ben", "Cid");
  for (const screen of [PHONE, DESK]) {
    const list = await open(running, server, "/", screen);
    await introduce(list, "Ann");
    await list.goto(`${server.url}/players`);
    const found = await rows(list);
    expect(found.map(([place, name]) => `${place} ${name}`)).toEqual([
      "1 Ann (you)",
      "2 Ben",
      "3 Cid",
      "Provisional, with too few games with the others undefined",
      " Dora",
    ]);
    expect(found.map(([, , rating = ""]) => rating === "too few games")).toEqual([false, false, false, false, true]);
    expect(found[0]?.slice(3)).toEqual([String(ENOUGH), String(ENOUGH)]);
    expect(await list.locator("tr.own").innerText()).toContain("Ann");
    expect(await list.locator(".range svg").count()).toBe(3);
    await expectAccessible(list);
    await list.getByRole("link", { name: "Ann" }).click();
    await list.getByRole("heading", { name: "Ann" }).waitFor();
    const ben = list.locator('section[aria-labelledby="meetings"] tbody tr').filter({ hasText: "Ben" });
    expect((await ben.innerText()).split(/\s+/)).toEqual(["Ben", String(ENOUGH), String(ENOUGH), "0", "0"]);
    expect(await list.locator(".games > li > a").first().innerText()).toBe(last);
    await expectAccessible(list);
    await list.getByRole("link", { name: last }).click();
    await list.locator(".film").waitFor();
    await list.goBack();
    await ben.getByRole("link").click();
    await list.getByRole("heading", { name: "Ben" }).waitFor();
    expect(await list.getByText("The rating is provisional").count()).toBe(0);
    await list.context().close();
  }
  await page.context().close();
});

test("many players are shown page by page; a name that is not listed is told", async () => {
  const before = await open(running, server, "/players", PHONE);
  const few = (await rows(before)).length;
  await before.context().close();
  for (let game = 0; game < CROWD; game += 1) await play(`one ${game}`, `a/b ${game}`, `c%41 ${game}`);
  const page = await open(running, server, "/players", PHONE);
  await expect.poll(async () => (await rows(page)).length).toBe(51);
  await page.getByRole("button", { name: "More players" }).tap();
  await expect.poll(async () => (await rows(page)).length).toBe(few + 3 * CROWD);
  expect(await page.getByRole("button", { name: "More players" }).count()).toBe(0);
  for (const name of ["a/b 3", "c%41 4"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByText("The rating is provisional").waitFor();
    await page.reload();
    await page.getByRole("heading", { name }).waitFor();
    await page.getByRole("link", { name: "All players" }).click();
    await page.getByRole("button", { name: "More players" }).tap();
  }
  await page.goto(`${server.url}/players/person/nobody`);
  await page.getByRole("alert").waitFor();
  await expectAccessible(page);
  await page.context().close();
});

test("a server without ratings says so and has no link; one with a code asks for it", async () => {
  const without = await Server.start("--bots", "", "--no-ratings");
  const page = await open(running, without, "/players", PHONE);
  expect(await page.getByRole("alert").innerText()).toBe("This server keeps no list of players.");
  await expectAccessible(page);
  await page.getByRole("link", { name: "To the matches" }).tap();
  await page.getByText("Matches of this server").waitFor();
  await page.getByText("New match", { exact: true }).waitFor(); // what the server offers is known
  expect(await page.getByRole("link", { name: "Players and their ratings" }).count()).toBe(0);
  await page.context().close();
  await without.stop();
  const closed = await Server.start("--bots", "", "--code");
  const guest = await open(running, closed, "/players", PHONE);
  await guest.getByLabel("Join code").fill(closed.code);
  await guest.getByLabel("Join code").press("Enter");
  await guest.getByText("No game has finished yet that counts for ratings.").waitFor();
  await guest.context().close();
  await closed.stop();
});
