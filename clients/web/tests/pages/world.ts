/** A server of Vinci and a browser for tests of whole pages. */

import { createHash } from "node:crypto";
import { type ChildProcess, type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

import { type Browser, type BrowserContextOptions, chromium, firefox, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

export const VINCI = process.env["VINCI"] ?? "../../.venv/bin/vinci";
export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const FIREFOX = process.env["FIREFOX"] ?? "/usr/bin/firefox-esr";
const OPTIONS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
  reducedMotion: "reduce",
};
export const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" };

/** Most milliseconds that anything may take on a loaded machine. */
export const LONG = 60_000;

/** A server with its web server, in a folder of its own. */
export class Server {
  private process: ChildProcess | undefined;
  private ports = ["0", "0"];
  /** Where terminals reach it. */
  address = "";
  /** Where browsers reach it. */
  url = "";
  /** The join code; empty if it asks for none. */
  code = "";
  /** The join code for terminals, which vouches for the certificate as well. */
  terminalCode = "";

  private constructor(
    readonly folder: string,
    private readonly options: readonly string[],
  ) {}

  /** Start a server. */
  static async start(...options: string[]): Promise<Server> {
    const server = new Server(mkdtempSync(join(tmpdir(), "vinci-pages-")), options);
    await server.run();
    return server;
  }

  /** Start the process, after a kill with the database and at the ports from before. */
  async run(): Promise<void> {
    const [port = "", web = ""] = this.ports;
    const args = ["serve", "--no-announce", "--port", port, "--web", web, "--db", join(this.folder, "games.sqlite"), "--lang", "en"];
    const started = spawn(VINCI, [...args, ...this.options], { env: environment(this.folder), stdio: ["ignore", "pipe", "ignore"] });
    this.process = started;
    let said = "";
    await new Promise<void>((resolve, reject) => {
      started.stdout.on("data", (data: Buffer) => {
        said += data.toString();
        this.address = /listening on (\S+)/.exec(said)?.[1] ?? "";
        this.url = /https?:\/\/localhost:\d+/.exec(said)?.[0] ?? "";
        this.code = /#code=(\S+)/.exec(said)?.[1] ?? "";
        this.terminalCode = /--code (\S+)/.exec(said)?.[1] ?? "";
        this.ports = [this.address, this.url].map((text) => text.split(":").at(-1) ?? "");
        if (/https?:\/\/localhost.*\n/.test(said)) resolve();
      });
      started.on("exit", () => reject(new Error(`the server has stopped: ${said}`)));
    });
  }

  /** End the process at once, with whatever it is doing. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Call a service with JSON, perhaps with the token of a seat. */
  async call<T>(path: string, request: object, token = ""): Promise<T> {
    const player = "player" in request ? String(request.player) : "";
    const headers = {
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
      ...(player && { "vinci-person": keyOf(player) }),
    };
    const answer = await fetch(`${this.url}/vinci.v1.${path}`, { method: "POST", headers, body: JSON.stringify(request) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Make a match of one person and dummies that starts when the seat is taken; return its id. */
  async solo(options: object = {}): Promise<string> {
    const seats = [{ kind: "SEAT_KIND_HUMAN" }, { kind: "SEAT_KIND_DUMMY" }, { kind: "SEAT_KIND_DUMMY" }];
    const answer = await this.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { seats, startWhenFull: true, ...options });
    return answer.match.matchId;
  }

  async stop(): Promise<void> {
    await this.end("SIGINT");
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const ended = new Promise((resolve) => this.process?.once("exit", resolve));
    this.process?.kill(signal);
    await ended;
  }
}

/** Start a server and a browser before the tests of a file, for `take`, and end them after the tests. */
export function stage(take: (started: { readonly server: Server; readonly running: Browser }) => void, ...options: string[]): void {
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const [server, running] = await Promise.all([Server.start(...options), browser()]);
    ends.push(() => running.close(), () => server.stop());
    take({ server, running });
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
}

/** A league that is played, with its page. */
export class League {
  /** Where browsers reach it. */
  readonly url: string;

  private constructor(
    url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {
    this.url = url;
  }

  /** Start a league by options of `vinci tournament run`. */
  static async start(...options: string[]): Promise<League> {
    const folder = mkdtempSync(join(tmpdir(), "vinci-league-"));
    const args = ["tournament", "run", "--web", "0", "--out", join(folder, "league"), "--lang", "en", ...options];
    const started = spawn(VINCI, args, { env: environment(folder), stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    const url = await new Promise<string>((resolve, reject) => {
      started.stderr.on("data", (data: Buffer) => {
        said += data.toString();
        const link = /In a browser: (\S+)\/league\n/.exec(said)?.[1];
        if (link) resolve(link);
      });
      started.on("exit", () => reject(new Error(`the league has stopped: ${said}`)));
    });
    return new League(url, started, folder);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    const isOn = this.process.exitCode === null && this.process.signalCode === null;
    if (isOn && this.process.kill("SIGINT")) await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: home, VINCI_HOME: home, PYTHONUNBUFFERED: "1", NO_COLOR: "1" };
}

/** A person at a terminal without a full screen. */
export class Terminal {
  private readonly process: ChildProcessByStdio<Writable, Readable, null>;
  /** All that it has written. */
  out = "";
  /** How much it had written when the last line was typed. */
  private answered = 0;

  /** Join a match by options of `vinci join`, first after other commands of the same person. */
  constructor(server: Server, options: readonly string[], ...before: readonly (readonly string[])[]) {
    const home = mkdtempSync(join(server.folder, "terminal-"));
    for (const args of before) execFileSync(VINCI, args, { env: environment(home) });
    const args = ["join", server.address, "--line", "--lang", "en", ...options];
    this.process = spawn(VINCI, args, { env: environment(home), stdio: ["pipe", "pipe", "ignore"] });
    this.process.stdout.on("data", (data: Buffer) => (this.out += data.toString()));
  }

  /** Whether it waits for a line: it has asked for one since the last; what others say may stand behind the question. */
  get isAsked(): boolean {
    return /seat \d> /.test(this.out.slice(this.answered));
  }

  /** Type a line and wait until it has been carried out. */
  async type(line: string, answer: RegExp): Promise<void> {
    const before = this.out.length;
    this.answered = before;
    this.process.stdin.write(`${line}\n`);
    await until(() => answer.test(this.out.slice(before)), () => `${line}: ${this.out.slice(before)}`);
  }

  /** Wait for a text. */
  async reads(text: string): Promise<void> {
    await until(() => this.out.includes(text), () => `no ${text}: ${this.out}`);
  }

  end(): void {
    this.process.kill();
  }
}

/** Wait for a condition. */
export async function until(holds: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const end = performance.now() + LONG;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not in time: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Start Chromium. */
export async function browser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM, headless: true, args: OPTIONS });
}

/** Start Firefox, as Debian has it; Playwright 1.65 sends that a command that it does not know. */
export async function firefoxBrowser(): Promise<Browser> {
  return await firefox.launch({ channel: "moz-firefox", executablePath: FIREFOX, headless: true, firefoxUserPrefs: { "ui.prefersReducedMotion": 1 } });
}

/** Open a page of a server that shows what others do at once; what it complains about is an error of the test. */
export async function open(running: Browser, server: Server | League, path: string, options: BrowserContextOptions): Promise<Page> {
  const context = await running.newContext(options);
  await context.addInitScript({ path: "node_modules/axe-core/axe.min.js" }); // the policy of the page lets no script in later
  await context.addInitScript(() => {
    if (localStorage.getItem("vinci-settings") === null) localStorage.setItem("vinci-settings", JSON.stringify({ pace: 0, language: "en", hints: false }));
  });
  const page = await context.newPage();
  page.setDefaultTimeout(LONG);
  await page.goto(server.url + path);
  return page;
}

/** Return the key of the person of a name: all browsers of a test that use the name are that person. */
function keyOf(name: string): string {
  return createHash("md5").update(name).digest("hex");
}

/** Type a name as its person. */
export async function introduce(page: Page, name: string): Promise<void> {
  await page.evaluate((key) => localStorage.setItem("vinci-person", key), keyOf(name));
  await page.getByLabel("Your name").fill(name);
}

/** Take a seat at the match whose page is open. */
export async function sit(page: Page, name: string): Promise<void> {
  await introduce(page, name);
  await page.getByRole("button", { name: "Take a seat" }).click();
  await page.locator(".play .act").waitFor();
}

/** Wait until what is chosen can be played. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.play .act[aria-disabled="false"]').waitFor();
}

/** Return the revision that a page shows. */
export async function revision(page: Page): Promise<string> {
  return (await page.locator(".play").getAttribute("data-revision")) ?? "";
}

/** Do something and wait until the page shows a later revision and the own move, or the end. */
export async function through(page: Page, act: () => Promise<void>): Promise<void> {
  const before = await revision(page);
  await act();
  const isOn = ([before]: string[]): boolean => {
    const play = document.querySelector<HTMLElement>(".play");
    return play?.dataset["revision"] !== before && play?.querySelector(".prompt, .outcome") !== null;
  };
  await page.waitForFunction(isOn, [before]);
}

/** Play what the server suggests; what is chosen already has no button to choose it. */
export async function move(page: Page): Promise<void> {
  const before = await revision(page);
  await page.getByRole("button", { name: "Suggest" }).click();
  await page.locator(".suggestion b").waitFor();
  const choose = page.getByRole("button", { name: "Choose it" });
  if (await choose.count()) await choose.click();
  await ready(page);
  await page.locator(".play .act").click();
  await until(async () => (await page.locator(".over").count()) > 0 || (await revision(page)) !== before, () => `revision ${before} has passed`);
}

/** Read the log from its start to its end, of which only the rows in view are elements; rows that are missing are empty. */
export async function wholeLog(page: Page): Promise<readonly string[]> {
  await page.locator("#tab-log").click();
  await page.locator(".log li").first().waitFor();
  return await page.evaluate(async () => {
    const frame = document.querySelector(".log") as Element;
    const found: string[] = [];
    const drawn = async (): Promise<number> => await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (let top = 0; ; top += frame.clientHeight / 2) {
      frame.scrollTo(0, top);
      await drawn();
      for (const row of frame.querySelectorAll("li")) found[Number(row.ariaPosInSet) - 1] = row.textContent;
      if (top > frame.scrollHeight) return Array.from(found, (text: string | undefined) => text ?? "");
    }
  });
}

/** Return what axe has to say against a page. */
export async function complaints(page: Page): Promise<readonly string[]> {
  return await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<Found> } };
    type Found = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run({ runOnly: { type: "tag", values: tags } });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
  });
}
