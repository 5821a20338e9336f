/** A game that is over is reviewed from its replay: the own seat first, marks at the slider, and arrows of the turn that is better. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";

import { STATES } from "./states";
import { complaints, DESK, open, PHONE, Server, stage, until, VINCI } from "./world";

let server: Server;
let running: Browser;

stage(
  (started) => {
    ({ server, running } = started);
  },
  "--analysis",
  "0",
);

const RECORD = "../../tests/data/record-WEB.jsonl";

/** Show a record in the replay. */
async function shown(where: Server, screen: object): Promise<Page> {
  const page = await open(running, where, "/r", screen);
  await page.locator("input[type=file]").setInputFiles(RECORD);
  await page.locator(".film").waitFor();
  return page;
}

/** Ask for a review; return the first of its messages, or its refusal. */
async function begun(lines: readonly string[], signal: AbortSignal): Promise<string> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/vinci.v1.MatchService/Review`, { method: "POST", headers, body: JSON.stringify({ lines }), signal });
  const { value } = (await answer.body?.getReader().read()) ?? {};
  return new TextDecoder().decode(value);
}

test.each([
  ["desk", DESK, 0],
  ["phone", PHONE, 120], // below turn and scores, which stay
])("turns are graded, and lead to their position: %s", async (_, screen, top) => {
  const page = await shown(server, screen);
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.getByRole("heading", { name: "Review" }).waitFor();
  const seats = page.locator(".review tbody button");
  const turns = page.locator(".reviewed");
  const seen = new Set<string>();
  for (let seat = 0; seat < (await seats.count()); seat++) {
    await seats.nth(seat).click();
    expect(await seats.nth(seat).getAttribute("aria-pressed")).toBe("true");
    const count = await turns.count();
    await expect.poll(async () => await page.locator(".rail .mark").count()).toBe(count);
    for (let place = 0; place < count; place++) {
      const text = await turns.nth(place).innerText();
      expect(text).toMatch(/^\S\n?.*(Round \d+|The draft) · (Good turn|Mistake|About equal): /s);
      await turns.nth(place).click();
      expect(await turns.nth(place).getAttribute("aria-current")).toBe("step");
      expect((await page.locator(".stage").boundingBox())?.y).toBeGreaterThanOrEqual(top);
      if (text.includes("Mistake")) {
        expect(text).toMatch(/loses \d+\.\d ± \d+\.\d VP/);
        expect(text).toContain("preferred: ");
      }
      if (/(preferred|as good): .*conquer (?!nothing)/.test(text)) {
        await page.locator(".arrows g").first().waitFor();
        const note = page.getByText("The arrows show this one, not the one played.");
        await note.and(page.locator(".reviewed small")).waitFor();
        expect(await page.locator(".film .verdict").filter({ has: note }).isVisible()).toBe(top > 0); // on a phone the list is below
        seen.add("arrows");
      }
      seen.add(/Good turn|Mistake|About equal/.exec(text)?.[0] ?? "");
    }
    if (count > 0) {
      await page.locator(".rail .mark").first().click();
      await expect.poll(() => turns.first().getAttribute("aria-current")).toBe("step");
    }
  }
  expect(seen).toContain("arrows");
  expect(seen).toContain("Good turn");
  for (const theme of ["light", "dark"]) {
    await page.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
    expect(await complaints(page), theme).toEqual([]);
  }
  await page.context().close();
});

test("a match that is over is reviewed with the own seat first, and its progress is told", async () => {
  const matchId = await server.solo({ position: "tiny; rules standard max_rounds=2; seat 1 | WEA+MIL reserve=9 ARA; seat 2 dummy | BAR+CUR; seat 3 dummy | AST+SLA" });
  const { seatToken } = await server.call<{ seatToken: string }>("LobbyService/JoinMatch", { matchId, player: "Ann" });
  const state = async (): Promise<{ status: string }> =>
    (await server.call<{ match: { status: string } }>("LobbyService/GetMatch", { matchId })).match;
  let number = 0;
  const playAsAdvised = async (): Promise<void> => {
    const { revision, action } = await server.call<{ revision?: string; action: object }>("MatchService/Suggest", { matchId });
    await server.call("MatchService/Act", { matchId, requestId: String(++number), expectedRevision: revision ?? "0", actions: [action] }, seatToken);
  };
  while ((await state()).status !== "MATCH_STATUS_OVER") {
    // refused if the advice was for a dummy, which has moved meanwhile or is about to
    await playAsAdvised().catch((error: unknown) => expect(String(error)).toMatch(/"(NOT_YOUR_TURN|STALE_REVISION|GAME_OVER)"/));
  }
  const page = await open(running, server, `/m/${matchId}`, DESK);
  await page.locator(".decision").getByRole("button", { name: "Review this game" }).click(); // the end of the game leads to it
  await page.getByRole("heading", { name: "Review" }).waitFor();
  expect(await page.locator(".review tbody button").first().innerText()).toContain("Ann");
  expect(await page.locator(".reviewed").count()).toBeGreaterThan(0);
  await page.getByText("What the figures mean").click();
  expect(await page.locator(".review details").first().innerText()).toContain("by 100 simulations to the end of the game");
  await page.context().close();
});

test("another review from the same address has to wait until the first one is left", async () => {
  execFileSync(VINCI, ["selfplay", "--players", "greedy,greedy,greedy,greedy", "--games", "1", "--seed", "long", "--records", server.folder]);
  const lines = readFileSync(join(server.folder, "long-1.jsonl"), "utf8").split("\n").filter(Boolean);
  const busy = new AbortController();
  await until(async () => (await begun(lines, busy.signal)).includes("progress"), () => "no review");
  const second = await open(running, server, "/r", DESK);
  const buffer = Buffer.from(lines.slice(0, 20).join("\n"));
  await second.locator("input[type=file]").setInputFiles({ name: "part.jsonl", mimeType: "text/plain", buffer });
  await second.getByRole("button", { name: "Review this game" }).click();
  await second.getByText("Another game is being reviewed for your address; try again when that review is done.").waitFor();
  const joined = await open(running, server, "/r", DESK);
  await joined.locator("input[type=file]").setInputFiles({ name: "long.jsonl", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) });
  await joined.getByRole("button", { name: "Review this game" }).click();
  await joined.getByText(/\d+ of \d+ turns reviewed · (about \d+ min|less than a minute) left/).waitFor();
  await joined.context().close();
  busy.abort();
  const other = new AbortController(); // it begins once the server has noticed that the first one is left
  await until(async () => (await begun(lines.slice(0, 20), other.signal)).includes("progress"), () => "no other review");
  await second.getByRole("button", { name: "Try again" }).click();
  await second.getByRole("heading", { name: "Review" }).waitFor({ timeout: 0 }); // as long as it takes
  other.abort();
  await second.context().close();
});

test("a server without analysis offers no review", async () => {
  const plain = await Server.start();
  const page = await shown(plain, DESK);
  await page.getByText("Another file …").waitFor();
  expect(await page.getByRole("button", { name: "Review this game" }).count()).toBe(0);
  await page.context().close();
  const over = await STATES["over"]?.({ server: plain, running, screen: DESK });
  await over?.getByRole("button", { name: "See it again" }).waitFor();
  expect(await over?.getByRole("button", { name: "Review this game" }).count()).toBe(0);
  await over?.context().close();
  await plain.stop();
});
