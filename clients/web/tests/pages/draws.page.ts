/** A page that commits to its nonce and checks the draws at the end of the game, also those of a server that lies. */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";

import { hashOf } from "../../src/draws/sha";
import { JoinMatchRequestSchema } from "../../src/gen/vinci/v1/lobby_pb";
import { GetRecordResponseSchema } from "../../src/gen/vinci/v1/match_pb";
import { DESK, introduce, open, Server, stage, until } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--advice-workers", "0");

interface Match {
  readonly status: string;
  readonly commitment: string;
  readonly seats: readonly { readonly nonceHash?: string }[];
}

const matchOf = async (matchId: string): Promise<Match> => (await server.call<{ match: Match }>("LobbyService/GetMatch", { matchId })).match;

/** Play what the server suggests for the seat of a page until the game is over. */
async function playOut(page: Page, matchId: string): Promise<void> {
  const [, token = ""] = (await page.evaluate((id) => sessionStorage.getItem(`vinci-seat-${id}`), matchId))?.split(" ") ?? [];
  let number = 0;
  const move = async (): Promise<boolean> => {
    try {
      const { action } = await server.call<{ action: object }>("MatchService/Suggest", { matchId }, token);
      await server.call("MatchService/Act", { matchId, requestId: `move ${number++}`, actions: [action] }, token);
    } catch {
      // a dummy moves
    }
    return (await matchOf(matchId)).status === "MATCH_STATUS_OVER";
  };
  await until(move, () => "the game is over");
}

test("the nonce stays secret until the start, the draws are checked, and lies are found", async () => {
  const { match, hostToken } = await server.call<{ match: { matchId: string }; hostToken: string }>("LobbyService/CreateMatch", {
    board: "tiny",
    seats: [{ kind: "SEAT_KIND_HUMAN" }, { kind: "SEAT_KIND_DUMMY" }, { kind: "SEAT_KIND_DUMMY" }],
    options: { settings: { max_rounds: "4" } },
  });
  const { matchId } = match;
  const page = await open(running, server, `/m/${matchId}`, DESK);
  const joining = page.waitForRequest(/JoinMatch/);
  await introduce(page, "Ann");
  await page.getByRole("button", { name: "Take a seat" }).click();
  const { nonce, nonceHash } = fromBinary(JoinMatchRequestSchema, (await joining).postDataBuffer() ?? new Uint8Array());
  expect([nonce, nonceHash]).toEqual(["", expect.stringMatching(/^[0-9a-f]{64}$/)]);
  await page.getByText("(you)").waitFor();

  // The nonce outlives a reload of the tab.
  await page.reload();
  await page.getByText("(you)").waitFor();
  await server.call("LobbyService/StartMatch", { matchId }, hostToken);
  await page.locator(".play").waitFor();
  expect((await matchOf(matchId)).seats[0]?.nonceHash).toBe(nonceHash);

  await playOut(page, matchId);
  const verdict = page.locator(".over .draws");
  await verdict.waitFor();
  const text = await verdict.innerText();
  expect(text).toMatch(/^Chance was fair: this device checked all \d\d draws\.$/);
  await verdict.locator("summary").click();
  expect(await verdict.innerText()).toMatch(/^Chance was fair: this device checked all \d\d draws\.\s+The draws follow from a secret number that the server fixed before the game and from a random number of this device: nobody could foresee or choose them\./);
  await page.reload();
  await verdict.waitFor();
  expect(await verdict.innerText()).toBe(text);

  // A server that sends other records than that of the game.
  const { lines } = await server.call<{ lines: string[] }>("MatchService/GetRecord", { matchId });
  const last = lines.at(-1) ?? "";
  const { seed, salt } = (JSON.parse(last) as { reveal: { seed: string; salt: string } }).reveal;
  const { commitment } = await matchOf(matchId);
  const taken = lines.findIndex((line, place) => place > 0 && line.includes('"picks"'));
  const picked = /"picks":\["(\w+\*?)#/.exec(lines[taken] ?? "")?.[1] ?? "";
  const lies: readonly [string, readonly string[]][] = [
    ["it has another commitment than the server had published", lines.map((line) => line.replace(commitment, hashOf("other|salt")))],
    [
      "it has another commitment than the server had published",
      lines.map((line) => line.replace(commitment, hashOf(`other|${salt}`)).replace(`"seed":"${seed}"`, '"seed":"other"')),
    ],
    ["the seed that was revealed is not the one committed to", [...lines.slice(0, -1), last.replace(seed, "other")]],
    ["your number is not in the seed", [...lines.slice(0, -1), last.replace(/"nonces":\["\w+"/, '"nonces":["other"')]],
    [`line ${taken + 1} of its record has`, lines.map((line, place) => (place === taken ? line.replace(`"${picked}#`, `"${picked === "WEA" ? "BAR" : "WEA"}#`) : line))],
    ["is not what was played", lines.map((line) => line.replace('"do":"take 1"', '"do":"take 2"'))],
  ];
  for (const [found, forged] of lies) {
    expect(forged).not.toEqual(lines);
    await page.route(/GetRecord/, async (route) => {
      const answer = await route.fetch();
      const body = Buffer.from(toBinary(GetRecordResponseSchema, create(GetRecordResponseSchema, { lines: [...forged] })));
      await route.fulfill({ response: answer, body });
    });
    await page.reload();
    const alert = page.locator('.over [role="alert"]');
    await alert.waitFor();
    expect(await alert.innerText()).toContain("The draws of this game cannot be trusted: ");
    expect(await alert.innerText()).toContain(found);
    await page.unroute(/GetRecord/);
  }
  await page.context().close();
});
