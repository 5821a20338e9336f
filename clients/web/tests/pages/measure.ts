/** Measures the page in Chromium for `make bench ONLY=web`: writes JSON with milliseconds and MB into the file RESULT. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import type { Browser, Page } from "playwright-core";
import { test } from "vitest";

import { CONQUER } from "./states";
import { browser, DESK, open, Server } from "./world";

const LOADS = 9;
/** Half of these and of those before are undos, of which a turn allows 200. */
const UPDATES = 100;
const TURN = 10;
/** Updates before those that are measured: as many as a game has in a late round. */
const PAST = 300;
const PAGES = 5;
const PROVINCE = ".board use[data-province]";
const BOARD = ".board";
const CAPTION = ".turn .caption";
/**
 * A page of a match as HTML without scripts, of 2026-11-30: what a browser needs for it is the reference, and stays the same when the
 * page becomes simpler.
 */
const REFERENCE = "tests/pages/reference.html.gz";
const RESULT = process.env["RESULT"] ?? "/dev/stdout";

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? NaN;
}

/** Return the milliseconds from the first request until the board is painted, with nothing in the cache; of a text instead of the page, if given. */
async function firstBoard(running: Browser, address: string, text?: string): Promise<number> {
  const page = await withNothing(running, text);
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForSelector(PROVINCE);
  const time = await page.evaluate(
    async () => await new Promise<number>((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))),
  );
  await page.context().close();
  return time;
}

/** Return a page of a browser that has seen nothing; it gets a text for whatever it asks, if one is given. */
async function withNothing(running: Browser, text?: string): Promise<Page> {
  const context = await running.newContext(DESK);
  const page = await context.newPage();
  if (text !== undefined) await page.route("**", async (route) => await route.fulfill({ contentType: "text/html", body: text }));
  return page;
}

/** Return the MB that a process has for itself. */
function ownMegabytes(pid: string): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf-8");
  return (Number(/Private_Dirty:\s+(\d+)/.exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
}

/** Return the MB of all processes that draw pages. */
function rendererMegabytes(): number {
  const listed = execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf-8" }).split("\n");
  const rows = listed.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)?.slice(1) ?? []);
  const mine = new Set([String(process.pid)]);
  for (let grown = 0; grown !== mine.size; ) {
    grown = mine.size;
    for (const [pid = "", parent = ""] of rows) if (mine.has(parent)) mine.add(pid);
  }
  const renderers = rows.filter(([pid = "", , args = ""]) => mine.has(pid) && args.includes("--type=renderer"));
  return renderers.reduce((sum, [pid = ""]) => sum + ownMegabytes(pid), 0);
}

interface Match {
  readonly path: string;
  readonly act: (notation: string) => Promise<void>;
}

/** Make a match in a crowded position. */
async function crowded(server: Server): Promise<Match> {
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { position: CONQUER, startWhenFull: true });
  const { matchId } = match;
  const { seatToken } = await server.call<{ seatToken: string }>("LobbyService/JoinMatch", { matchId, player: "Ann" });
  let number = 0;
  const act = async (notation: string): Promise<void> => {
    number += 1;
    const path = notation === "undo" ? "MatchService/Undo" : "MatchService/Act";
    const actions = notation === "undo" ? {} : { actions: [{ notation }] };
    await server.call(path, { matchId, requestId: String(number), ...actions }, seatToken);
  };
  return { path: `/m/${matchId}`, act };
}

/** An event of a trace of Chromium; times are in microseconds, `tts` and `tdur` of the CPU time of its thread. */
interface Traced {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tts?: number;
  readonly tdur?: number;
}

/** Conquer and take back as often as fills the log of a late round; return what does it once more. */
async function played(page: Page, { act }: Match): Promise<() => Promise<void>> {
  let isUndo = false;
  const next = async (): Promise<void> => {
    await act(isUndo ? "undo" : "x SAX");
    isUndo = !isUndo;
  };
  for (let number = 0; number < PAST; number += 1) await next();
  await page.waitForFunction((count) => Number(document.querySelector(".log li:last-child")?.ariaSetSize) > count, PAST, { polling: 100 });
  return next;
}

/** Let a page tell of each change of an element, and once more when it is painted: to ask it would be measured, too. */
async function watched(page: Page, changing: string): Promise<void> {
  await page.evaluate((changing) => {
    const told = new MutationObserver(() => {
      performance.mark(changing);
      requestAnimationFrame(() => setTimeout(() => console.debug("painted")));
    });
    const element = document.querySelector(changing);
    if (element) told.observe(element, { subtree: true, childList: true, characterData: true });
  }, changing);
}

/** Update a page, and draw the board of one without scripts anew, in turn; return the CPU milliseconds of both kinds of frames. */
async function updates(running: Browser, page: Page, match: Match, still: Page): Promise<readonly [readonly number[], readonly number[]]> {
  const update = await played(page, match);
  const redraw = (): Promise<void> =>
    still.evaluate(() => {
      const board = document.querySelector(".board");
      board?.replaceChildren(...board.cloneNode(true).childNodes);
    });
  await watched(page, CAPTION);
  await watched(still, BOARD);
  await running.startTracing(page, { categories: ["benchmark", "blink.user_timing"] });
  for (let number = 0; number < 2 * UPDATES; number += 1) {
    // By turns, for a machine is faster and slower from second to second; after several of a kind, for both need what is in its caches.
    const [changed, change] = number % (2 * TURN) < TURN ? [page, update] : [still, redraw];
    await Promise.all([changed.waitForEvent("console"), change()]);
  }
  const { traceEvents } = JSON.parse((await running.stopTracing()).toString()) as { traceEvents: readonly Traced[] };
  return [frames(traceEvents, CAPTION), frames(traceEvents, BOARD)];
}

/**
 * Return the CPU milliseconds of the main thread of a page for each frame with a change of an element: all since the frame before it, from the
 * arrival of the message over scripts, style and layout to painting and the commit.
 */
function frames(events: readonly Traced[], changing: string): readonly number[] {
  const marks = events.filter(({ name }) => name === changing);
  const isFrame = ({ name, ph, pid, tid }: Traced): boolean =>
    name === "ProxyMain::BeginMainFrame" && ph === "X" && pid === marks[0]?.pid && tid === marks[0].tid;
  const begun = events.filter(isFrame).sort((one, other) => one.ts - other.ts);
  const ends = begun.map(({ tts = 0, tdur = 0 }) => (tts + tdur) / 1000);
  const shown = marks.map(({ ts }) => begun.findIndex((frame) => frame.ts > ts)).filter((at) => at > 0);
  return shown.map((at) => (ends[at] ?? NaN) - (ends[at - 1] ?? NaN));
}

test("measure", async () => {
  const [server, running] = await Promise.all([Server.start("--advice-workers", "0", "--bots", ""), browser()]);
  const match = await crowded(server);
  const before = rendererMegabytes(); // first, as a process of a page that is closed may still be there
  const pages: Page[] = [];
  for (let number = 0; number < PAGES; number += 1) {
    const one = await open(running, server, match.path, DESK);
    await one.waitForSelector(PROVINCE);
    pages.push(one);
  }
  const memory = (rendererMegabytes() - before) / PAGES;
  for (const one of pages) await one.context().close();
  const page = await open(running, server, match.path, { viewport: DESK.viewport ?? null });
  await page.waitForSelector(PROVINCE);
  const [text, address] = [gunzipSync(readFileSync(REFERENCE)).toString(), server.url + match.path];
  const loads: number[] = [];
  const stills: number[] = [];
  for (let number = 0; number <= LOADS; number += 1) {
    loads.push(await firstBoard(running, address));
    stills.push(await firstBoard(running, address, text));
  }
  const still = await withNothing(running, text);
  await still.goto(address);
  const [times, boards] = await updates(running, page, match, still);
  await still.context().close();
  await page.context().close();
  const found = {
    firstBoard: [median(loads.slice(1)), median(stills.slice(1))],
    update: [median(times), median(boards)],
    slowest: Math.max(...times),
    memory: [memory, 100],
  };
  writeFileSync(RESULT, JSON.stringify(found));
  await running.close();
  await server.stop();
});
