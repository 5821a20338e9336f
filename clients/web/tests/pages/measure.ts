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
const RESULT = process.env["RESULT"] ?? "/dev/stdout";

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? NaN;
}

/** Return the milliseconds from the first request until the board is painted, with nothing in the cache. */
async function firstBoard(running: Browser, server: Server, path: string): Promise<number> {
  const context = await running.newContext(DESK);
  const page = await context.newPage();
  await page.goto(server.url + path, { waitUntil: "commit" });
  await page.waitForSelector(".board use[data-province]");
  const time = await page.evaluate(
    async () => await new Promise<number>((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))),
  );
  await context.close();
  return time;
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
  await page.evaluate(() => {
    const caption = document.querySelector(".turn .caption");
    const told = new MutationObserver(() => {
      performance.mark("update");
      requestAnimationFrame(() => setTimeout(() => performance.mark("painted")));
    });
    if (caption) told.observe(caption, { subtree: true, characterData: true });
  });
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
function frames(traced: readonly Traced[]): readonly number[] {
  const marks = traced.filter(({ name }) => name === "update");
  const isFrame = ({ name, ph, pid, tid }: Traced): boolean =>
    name === "ProxyMain::BeginMainFrame" && ph === "X" && pid === marks[0]?.pid && tid === marks[0].tid;
  const begun = traced.filter(isFrame).sort((one, other) => one.ts - other.ts);
  const ends = begun.map(({ tts = 0, tdur = 0 }) => (tts + tdur) / 1000);
  const shown = marks.map(({ ts }) => begun.findIndex((frame) => frame.ts > ts)).filter((at) => at > 0);
  return shown.map((at) => (ends[at] ?? NaN) - (ends[at - 1] ?? NaN));
}

test("measure", async () => {
  const [server, running] = await Promise.all([Server.start("--advice-workers", "0", "--bots", ""), browser()]);
  const match = await crowded(server);
  const loads: number[] = [];
  for (let number = 0; number <= LOADS; number += 1) loads.push(await firstBoard(running, server, match.path));
  const page = await open(running, server, match.path, { viewport: DESK.viewport ?? null });
  await page.waitForSelector(".board use[data-province]");
  const times = await updates(running, page, match);
  await page.context().close();
  const before = rendererMegabytes();
  const pages: Page[] = [];
  for (let number = 0; number < PAGES; number += 1) {
    const one = await open(running, server, match.path, DESK);
    await one.waitForSelector(".board use[data-province]");
    pages.push(one);
  }
  const memory = (rendererMegabytes() - before) / PAGES;
  writeFileSync(RESULT, JSON.stringify({ firstBoard: median(loads.slice(1)), update: median(times), slowest: Math.max(...times), memory }));
  await running.close();
  await server.stop();
});
