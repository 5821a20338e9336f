/** Tabs of one browser, a machine that slept, languages and themes. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { expect, test } from "vitest";

import { LANGUAGES } from "../../src/i18n/i18n";
import { CONQUER } from "./states";
import { browser, CHROMIUM, complaints, DESK, FIREFOX, firefoxBrowser, LONG, open, Server, stage } from "./world";

const TABS = 10;
const TAKEN = "x SAX";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--bots", "");

/** Make a match in a crowded position; return its id and a function by which its player acts. */
async function crowded(): Promise<readonly [string, (notation: string) => Promise<void>]> {
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { position: CONQUER, startWhenFull: true });
  const { matchId } = match;
  const { seatToken } = await server.call<{ seatToken: string }>("LobbyService/JoinMatch", { matchId, player: "Ann" });
  let number = 0;
  return [
    matchId,
    async (notation) => {
      number += 1;
      await server.call("MatchService/Act", { matchId, requestId: String(number), actions: [{ notation }] }, seatToken);
    },
  ];
}

/** Return a function that counts the streams of a browser that are open; those from before are not counted. */
function streamsOf(context: BrowserContext): () => number {
  const streams = new Set<Request>();
  context.on("request", (request) => request.url().endsWith("MatchService/Watch") && streams.add(request));
  context.on("requestfinished", (request) => streams.delete(request));
  context.on("requestfailed", (request) => streams.delete(request));
  return () => [...streams].filter((request) => !request.frame().page().isClosed()).length;
}

const isShown = (text: string): boolean => document.querySelector(".turn .caption")?.textContent.includes(text) === true;

test("ten tabs share one stream, and another one leads when the first closes", async () => {
  const [id, act] = await crowded();
  const first = await open(running, server, `/m/${id}`, DESK);
  const context = first.context();
  const streams = streamsOf(context);
  await first.reload();
  const tabs: Page[] = [first];
  await first.locator(".board use[data-province]").first().waitFor();
  while (tabs.length < TABS) {
    const tab = await context.newPage();
    await tab.goto(`${server.url}/m/${id}`);
    await tab.locator(".board use[data-province]").first().waitFor();
    tabs.push(tab);
  }
  await expect.poll(streams, { timeout: LONG }).toBe(1);
  await act(TAKEN);
  for (const tab of tabs) await tab.waitForFunction(isShown, "conquers Saxony");
  await first.close();
  await expect.poll(streams, { timeout: LONG }).toBe(1);
  await act("x CAR");
  for (const tab of tabs.slice(1)) await tab.waitForFunction(isShown, "conquers the Carpathians");
  await expect.poll(streams, { timeout: LONG }).toBe(1);
  await context.close();
});

test("a tab that was frozen, as while a machine sleeps, goes on at the right revision", async () => {
  const [id, act] = await crowded();
  const page = await open(running, server, `/m/${id}`, DESK);
  await page.locator(".board use[data-province]").first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  await act(TAKEN);
  await act("x CAR");
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await page.waitForFunction(isShown, "conquers the Carpathians");
  expect(await page.locator("main.match:not(.stale)").count()).toBe(1);
  await page.context().close();
});

const BROWSERS = { Chromium: browser, Firefox: firefoxBrowser };
/** Seconds that the machine sleeps in a test; `SLEEP=600` for a longer one. */
const SLEEP = Number(process.env["SLEEP"] ?? "20");

/** Return the browsers that this process has started. */
function started(): string[] {
  const lines = execFileSync("ps", ["-o", "pid=,comm=", "--ppid", String(process.pid)], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => /chrom|firefox/i.test(line));
}

for (const [name, start] of Object.entries(BROWSERS)) {
  const program = name === "Chromium" ? CHROMIUM : FIREFOX;
  test.runIf(existsSync(program))(`${name} goes on at the right revision after a sleep of its machine`, async () => {
    const before = started();
    const own = await start();
    const group = Number.parseInt(started().find((line) => !before.includes(line)) ?? "", 10);
    expect(group).toBeGreaterThan(0);
    const [id, act] = await crowded();
    const page = await open(own, server, `/m/${id}`, DESK);
    await page.locator(".board use[data-province]").first().waitFor();
    process.kill(-group, "SIGSTOP"); // Playwright starts a browser in a process group of its own
    await act(TAKEN);
    await new Promise((resolve) => setTimeout(resolve, SLEEP * 1000));
    await act("x CAR");
    process.kill(-group, "SIGCONT");
    await page.waitForFunction(isShown, "conquers the Carpathians");
    await page.locator("main.match:not(.stale)").waitFor();
    await own.close();
  });
}

test("languages and themes change at once, the system's theme as the system does", async () => {
  const [id, act] = await crowded();
  await act(TAKEN);
  const page = await open(running, server, `/m/${id}`, { ...DESK, colorScheme: "dark" });
  await page.locator(".board use[data-province]").first().waitFor();
  await page.locator(".settings summary").click();
  const theme = async (): Promise<unknown> => await page.evaluate(() => [document.documentElement.dataset["theme"], getComputedStyle(document.body).backgroundColor]);
  const dark = ["dark", "rgb(22, 19, 15)"];
  const light = ["light", "rgb(247, 241, 227)"];
  expect(await theme()).toEqual(dark);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(theme, { timeout: LONG }).toEqual(light);
  await page.getByLabel("Colours").selectOption("dark");
  expect(await theme()).toEqual(dark);
  await page.getByLabel("Colours").selectOption("light");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await theme()).toEqual(light);
  const captions = new Set<string>();
  for (const language of LANGUAGES) {
    if (!(await page.locator(".settings select").first().isVisible())) await page.locator(".settings summary").click();
    await page.locator(".settings select").nth(1).selectOption(language);
    await page.waitForFunction((language) => document.documentElement.lang === language, language);
    captions.add(await page.locator(".turn .caption").innerText());
    expect(await complaints(page), language).toEqual([]);
  }
  expect(captions.size).toBe(LANGUAGES.length);
  await page.context().close();
});
