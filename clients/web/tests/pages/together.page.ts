/** Two pages and a terminal play a whole game, through a kill of the server. */

import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";

import { DESK, introduce, move, open, PHONE, revision, Server, stage, Terminal, until, wholeLog } from "./world";

let server: Server;
let running: Browser;

/** Return the numbers, provinces and traits in a sentence, which each player reads in the own person. */
function factsOf(text: string): readonly string[] {
  return text.replace(/\S+ \(\d\)|(^\d)?your?\b/gi, "").match(/\d+|\p{Lu}\p{L}+/gu) ?? [];
}

stage((started) => {
  ({ server, running } = started);
}, "--advice-workers", "0");

/** Who plays, and how. */
interface Player {
  readonly isAsked: () => Promise<boolean>;
  readonly move: () => Promise<void>;
}

const isLive = (): boolean => document.querySelector("main.match:not(.stale)") !== null;

/** Return the revision that the server is at. */
async function latest(matchId: string): Promise<string> {
  const { match } = await server.call<{ match: { revision?: string } }>("LobbyService/GetMatch", { matchId });
  return match.revision ?? "0";
}

async function say(page: Page, text: string): Promise<void> {
  await page.locator("#tab-chat").click();
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
}

async function reads(page: Page, text: string): Promise<void> {
  await page.locator("#tab-chat").click();
  await page.locator(".chat li").filter({ hasText: text }).waitFor();
}

test("two pages and a terminal play a game with chat, undo, a kill and a restart", async () => {
  const human = { kind: "SEAT_KIND_HUMAN" };
  const options = { settings: { max_rounds: "3" } };
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", {
    board: "tiny",
    seats: [human, human, human],
    options,
    startWhenFull: true,
  });
  const { matchId } = match;
  const complaints: string[] = [];
  const enter = async (name: string, screen: typeof DESK): Promise<Page> => {
    const page = await open(running, server, `/m/${matchId}`, screen);
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.text().includes("Content Security Policy") && complaints.push(message.text()));
    await introduce(page, name);
    await page.getByRole("button", { name: "Take a seat" }).click();
    await page.getByText("(you)").waitFor();
    return page;
  };
  const ann = await enter("Ann", DESK);
  const ben = await enter("Ben", PHONE);
  const pages = [ann, ben];
  const carl = new Terminal(server, ["--match", matchId, "--name", "Carl"]);
  const players: readonly Player[] = [
    ...pages.map((page) => ({ isAsked: async () => (await page.locator(".prompt").count()) > 0, move: async () => await move(page) })),
    {
      isAsked: async () => await Promise.resolve(carl.isAsked),
      move: async () => {
        await carl.type("suggest", /Suggestion: [^]*seat \d> /);
        await carl.type("ok", /\b[Yy]ou /);
      },
    },
  ];
  const isOver = async (): Promise<boolean> => (await ann.locator(".over").count()) > 0;
  /** Play on until something holds; return who is asked then. */
  const play = async (isEnough: (asked: Player) => Promise<boolean>): Promise<Player | undefined> => {
    while (!(await isOver())) {
      for (const player of players) {
        if (!(await player.isAsked())) continue;
        if (await isEnough(player)) return player;
        await player.move();
      }
    }
    return undefined;
  };
  /** Wait until the pages are at the revision of the server. */
  const settled = async (): Promise<string> => {
    const wanted = await latest(matchId);
    for (const page of pages) await until(async () => (await revision(page)) === wanted, () => `revision ${wanted}`);
    return wanted;
  };

  try {
    // Chat
    for (const page of pages) await page.locator(".play").waitFor();
    await say(ann, "hello from Ann");
    await reads(ben, "hello from Ann");
    await say(ben, "<b>hello</b> from Ben");
    await reads(ann, "<b>hello</b> from Ben");
    await Promise.all(["hello from Ann", "<b>hello</b> from Ben"].map(async (text) => await carl.reads(text)));
    await play(async (asked) => await Promise.resolve(asked === players[2]));
    await carl.type("say hello from Carl", /hello from Carl/);
    await reads(ann, "hello from Carl");

    // Undo
    const caption = ann.locator(".turn .caption");
    await play(async (asked) => asked === players[0] && (await caption.innerText()).includes("You conquer "));
    const conquered = await settled();
    await ann.getByRole("button", { name: "Undo" }).click();
    await until(async () => BigInt(await latest(matchId)) > BigInt(conquered), () => "undone");
    await settled();
    for (const page of pages) expect(await page.locator(".turn .caption").innerText()).toMatch(page === ann ? /\bYou take back/ : /Ann \(1\) takes back/);
    await carl.reads("takes back");

    // Kill and restart
    await play(async () => (await ann.locator(".turn .round").innerText()).includes("Round 2"));
    const before = await settled();
    const logs = await Promise.all(pages.map(wholeLog));
    const start = performance.now();
    await server.kill();
    for (const page of pages) await page.locator(".lost").waitFor();
    const noticed = performance.now() - start;
    console.log(`both pages show the loss after ${noticed.toFixed(0)} ms`);
    expect(noticed).toBeLessThan(5_000);
    for (const page of pages) {
      expect(await page.locator(".lost").innerText()).toContain("The connection is lost; it is tried again. What is shown may be old.");
      await page.evaluate(() => {
        const seen = { frames: 0, live: 0 };
        Object.assign(window, { seen });
        const look = (): void => {
          seen.frames += 1;
          if (document.querySelector("main.match:not(.stale)")) seen.live += 1;
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
    }
    for (const page of pages) await page.waitForFunction(() => (window as unknown as { seen: { frames: number } }).seen.frames > 30);
    for (const page of pages) expect(await page.evaluate(() => (window as unknown as { seen: { live: number } }).seen.live)).toBe(0);
    await server.run();
    for (const page of pages) {
      await page.waitForFunction(isLive);
      expect(await revision(page)).toBe(before);
      await reads(page, "hello from Carl");
      expect(await page.locator(".chat li").count()).toBe(3);
    }
    expect(await Promise.all(pages.map(wholeLog))).toEqual(logs);

    // A page without a network while others play
    const asked = await play(async (asked) => await Promise.resolve(asked !== players[1]));
    await ben.context().setOffline(true);
    await ben.locator(".lost").waitFor();
    await asked?.move();
    expect(await ben.evaluate(isLive)).toBe(false);
    await ben.context().setOffline(false);
    await ben.waitForFunction(isLive);
    await settled();

    // The end
    await play(async () => await Promise.resolve(false));
    await carl.reads("The game is over.");
    for (const page of pages) await page.locator(".outcome").first().waitFor();
    const told = async (page: Page): Promise<string[]> => await page.locator(".outcome").allInnerTexts();
    const outcomes = await Promise.all(pages.map(told));
    expect(outcomes[0]?.[0]).toMatch(/ wins? with \d+ VP after 3 rounds\.| share the first place/);
    expect(outcomes[1]?.map(factsOf)).toEqual(outcomes[0]?.map(factsOf));
    expect((await wholeLog(ben)).map(factsOf)).toEqual((await wholeLog(ann)).map(factsOf));
    expect(complaints).toEqual([]);
  } finally {
    carl.end();
    await Promise.all(pages.map(async (page) => await page.context().close()));
  }
});
