/** Measures the page in Chromium for `make bench ONLY=web`: writes JSON with milliseconds and MB into the file RESULT. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

import type { Browser, Page } from "playwright-core";
import { test } from "vitest";

import { CONQUER } from "./states";
import { browser, DESK, open, Server } from "./world";

const LOADS = 5;
const UPDATES = 40;
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

/** Return the CPU milliseconds of the page for each update: all of its tasks from the arrival until the board shows it. */
async function updates(page: Page, { act }: Match): Promise<readonly number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" }); // CPU time, whatever else the machine does
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const painted = async (): Promise<void> =>
    await page.evaluate(async () => await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await painted();
  const idle = await (async () => {
    const before = await busy();
    await painted();
    return (await busy()) - before;
  })();
  const times: number[] = [];
  for (let number = 0; number < UPDATES; number += 1) {
    const isUndo = number % 2 === 1;
    const before = await busy();
    const shown = page.waitForFunction((wanted) => document.querySelector(".turn .caption")?.textContent.includes(wanted), isUndo ? "takes back" : "conquers");
    await act(isUndo ? "undo" : "x SAX");
    await shown;
    await painted();
    times.push((await busy()) - before - idle);
  }
  return times;
}

test("measure", async () => {
  const [server, running] = await Promise.all([Server.start("--advice-workers", "0", "--bots", ""), browser()]);
  const match = await crowded(server);
  const loads: number[] = [];
  for (let number = 0; number <= LOADS; number += 1) loads.push(await firstBoard(running, server, match.path));
  const page = await open(running, server, match.path, { viewport: DESK.viewport ?? null });
  await page.waitForSelector(".board use[data-province]");
  const times = await updates(page, match);
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
