/** The host gives the seat of somebody who is away to a computer player, back, and to somebody else. */

import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";

import { CONQUER } from "./states";
import { complaints, DESK, open, PHONE, Server, sit, stage, until } from "./world";

/** Milliseconds for a choice that may be gone. */
const BRIEF = 1_000;

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--bots", "", "--limit", "absent_seconds=1");

/** A position in which seat 1 is to act, and seats 1 and 2 are those of people. */
const POSITION = CONQUER.replace("seat 2 dummy", "seat 2").replace("IRL=3 MER=2", "IRL=2 MER=1"); // a person has two pawns less than a dummy

/** Let a host and a guest sit down at a match and the guest go away. */
async function left(): Promise<{ host: Page; guest: Page; path: string }> {
  const request = { position: POSITION, startWhenFull: true };
  const { match, hostToken } = await server.call<{ match: { matchId: string }; hostToken: string }>("LobbyService/CreateMatch", request);
  const path = `/m/${match.matchId}`;
  const guest = await open(running, server, path, PHONE);
  await guest.getByLabel("Your name").fill("Ben");
  await guest.getByRole("button", { name: "Sit down at seat 2" }).tap();
  await guest.getByText("(you)").waitFor();
  const host = await open(running, server, "/rules", DESK);
  await host.evaluate(([id = "", token = ""]) => sessionStorage.setItem(`vinci-host-${id}`, token), [match.matchId, hostToken]);
  await host.goto(server.url + path);
  await sit(host, "Ann");
  await guest.goto("about:blank");
  return { host, guest, path };
}

test("a host lets a computer player stand in, lets the player go on, and gives the seat to somebody else", async () => {
  const { host, guest, path } = await left();
  const rows = host.locator(".absent li");
  await host.getByRole("button", { name: "More", exact: true }).click();
  await rows.filter({ hasText: "Ben (2) is away" }).waitFor();
  expect(await complaints(host)).toEqual([]);
  const choice = host.getByLabel("A substitute for Ben (2)");
  await until(
    async () => {
      // it is refused within the first second of the absence, and gone when a substitute plays
      if (await choice.isVisible()) await choice.selectOption("bot", { timeout: BRIEF }).catch(() => undefined);
      return (await rows.innerText()).includes("A substitute plays for Ben (2).");
    },
    () => "no substitute",
  );
  await guest.goto(server.url + path);
  await guest.getByText("A substitute plays for you.").waitFor();
  await host.getByRole("button", { name: "Let Ben (2) go on" }).click();
  await guest.getByText("A substitute plays for you.").waitFor({ state: "detached" });
  await rows.waitFor({ state: "detached" });
  await guest.goto("about:blank");
  await rows.waitFor();
  const link = rows.locator(".link a");
  await expect
    .poll(async () => {
      await host.getByRole("button", { name: "Give the seat to somebody else" }).click();
      return await link.count();
    })
    .toBe(1);
  const { pathname, hash } = new URL((await link.getAttribute("href")) ?? "");
  const other = await open(running, server, pathname + hash, PHONE);
  await other.getByRole("button", { name: "Take the seat over" }).tap();
  await other.locator(".play .acts").waitFor();
  await rows.waitFor({ state: "detached" });
  await guest.goto(server.url + path);
  await guest.getByText("Seat 2 is played elsewhere now.").waitFor();
  for (const page of [host, guest, other]) await page.context().close();
});

test("others are not offered the seat of somebody who is away", async () => {
  const matchId = await server.solo({ seats: [], position: POSITION });
  const page = await open(running, server, `/m/${matchId}`, DESK);
  await server.call("LobbyService/JoinMatch", { matchId, seat: 2 });
  await sit(page, "Cleo");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "A substitute for" }).waitFor();
  expect(await page.locator(".absent").count()).toBe(0);
  await page.context().close();
});
