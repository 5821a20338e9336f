/** Measures the page in Chromium for `make bench ONLY=web`: writes JSON with milliseconds and MB into the file RESULT. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

import type { Browser, Page } from "playwright-core";
import { test } from "vitest";

import { CONQUER } from "./states";
import { browser, DESK, open, Server } from "./world";

const LOADS = 5;
const UPDATES = 60;
/** Updates before those that are measured: as many as a game has in a late round. */
const PAST = 300;
const PAGES = 5;
const BOARD = ".board use[data-province]";
const RESULT = process.env["RESULT"] ?? "/dev/stdout";

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? NaN;
}

/** Return the milliseconds from the first request until the board is painted, with nothing in the cache; of a text instead of the page, if given. */
async function firstBoard(running: Browser, address: string, text?: string): Promise<number> {
  const page = await withNothing(running, text);
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForSelector(BOARD);
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

/** Return what a page shows as HTML without scripts: what a browser needs for this alone is the reference. */
async function still(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map(({ cssText }) => cssText);
    const root = document.documentElement.cloneNode(true) as HTMLElement;
    for (const element of root.querySelectorAll("script, link")) element.remove();
    return `<!doctype html>${root.outerHTML}<style>${rules.join("\n")}</style>`;
  });
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

/** Conquer and take back, first as often as fills the log of a late round; return the CPU milliseconds of frames with an update. */
async function updates(running: Browser, page: Page, { act }: Match): Promise<readonly number[]> {
  let isUndo = false;
  const next = async (): Promise<void> => {
    await act(isUndo ? "undo" : "x SAX");
    isUndo = !isUndo;
  };
  for (let number = 0; number < PAST; number += 1) await next();
  // Without an interval the page would be asked at each frame, which would be measured, too.
  await page.waitForFunction((count) => Number(document.querySelector(".log li:last-child")?.ariaSetSize) > count, PAST, { polling: 100 });
  return await traced(running, page, ".turn .caption", next);
}

/** Put the board of a page without scripts into it again and again; return the CPU milliseconds of these frames. */
async function redrawn(running: Browser, address: string, text: string): Promise<readonly number[]> {
  const page = await withNothing(running, text);
  await page.goto(address);
  const times = await traced(running, page, ".board", async () => {
    await page.evaluate(() => {
      const board = document.querySelector(".board");
      board?.replaceChildren(...board.cloneNode(true).childNodes);
    });
  });
  await page.context().close();
  return times;
}

/** Update a page often; return the CPU milliseconds of the frames in which the element changes. */
async function traced(running: Browser, page: Page, changing: string, next: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate((changing) => {
    const element = document.querySelector(changing);
    const told = new MutationObserver(() => {
      performance.mark("update");
      requestAnimationFrame(() => setTimeout(() => performance.mark("painted")));
    });
    if (element) told.observe(element, { subtree: true, childList: changing === ".board", characterData: true });
  }, changing);
  const isPainted = (count: number): boolean => performance.getEntriesByName("painted").length >= count;
  await running.startTracing(page, { categories: ["benchmark", "blink.user_timing"] });
  for (let number = 1; number <= UPDATES; number += 1) {
    await next();
    await page.waitForFunction(isPainted, number, { polling: 100 });
  }
  const { traceEvents } = JSON.parse((await running.stopTracing()).toString()) as { traceEvents: readonly Traced[] };
  return frames(traceEvents);
}

/**
 * Return the CPU milliseconds of the main thread of the page for each frame with an update: all since the frame before it, from the
 * arrival of the message over scripts, style and layout to painting and the commit.
 */
function frames(events: readonly Traced[]): readonly number[] {
  const marks = events.filter(({ name }) => name === "update");
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
  const page = await open(running, server, match.path, { viewport: DESK.viewport ?? null });
  await page.waitForSelector(BOARD);
  const [text, address] = [await still(page), server.url + match.path];
  const loads: number[] = [];
  const stills: number[] = [];
  for (let number = 0; number <= LOADS; number += 1) {
    loads.push(await firstBoard(running, address));
    stills.push(await firstBoard(running, address, text));
  }
  const times = await updates(running, page, match);
  const boards = await redrawn(running, address, text);
  await page.context().close();
  const before = rendererMegabytes();
  const pages: Page[] = [];
  for (let number = 0; number < PAGES; number += 1) {
    const one = await open(running, server, match.path, DESK);
    await one.waitForSelector(BOARD);
    pages.push(one);
  }
  const memory = (rendererMegabytes() - before) / PAGES;
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
