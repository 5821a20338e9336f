/**
 * An evening with a guest, from the invitation to the rematch: tabs closed, another device, a server that is killed, a terminal.
 * With each kind of access, in Chromium and Firefox.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";

import { browser, DESK, FIREFOX, firefoxBrowser, LONG, move, open, PHONE, Server, Terminal, until } from "./world";

/** Options of the server, by kind of access. */
const ACCESS: Readonly<Record<string, () => readonly string[]>> = {
  "no code": () => [],
  "a join code": () => ["--code"],
  TLS: () => certified(),
  "TLS and a join code": () => ["--tls"],
};

/** Return options for a certificate that terminals know. */
function certified(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "vinci-certificate-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate, ...name], { stdio: "ignore" });
  return ["--tls-cert", certificate, "--tls-key", key];
}

const isAsked = async (page: Page): Promise<boolean> => (await page.locator(".prompt").count()) > 0;
const isOver = async (page: Page): Promise<boolean> => (await page.locator(".over").count()) > 0;
const linkIn = async (page: Page, place: string): Promise<string> => {
  const { pathname, hash } = new URL((await page.locator(`${place} .link a`).last().getAttribute("href")) ?? "");
  return pathname + hash;
};

/** Offer the seats of the person of a page to another device, and return the path of the link. */
async function device(page: Page, name: string): Promise<string> {
  await page.goto(new URL("/", page.url()).href);
  await page.getByText(`You are ${name} on this server`).click();
  await page.getByRole("button", { name: "Use another device, too" }).click();
  await page.locator("details .link a").waitFor();
  return await linkIn(page, "details");
}

const rows = async (page: Page, place: string): Promise<string> => (await page.locator(place).allInnerTexts()).join("\n");

async function evening(running: Browser, server: Server, access: readonly string[], isChromium: boolean): Promise<void> {
  const screen = (options: BrowserContextOptions): BrowserContextOptions => ({
    ...(isChromium ? options : { viewport: options.viewport ?? null }), // Firefox knows no others over its protocol
    ignoreHTTPSErrors: true,
  });
  const [desk, phone] = [screen(DESK), screen(PHONE)];
  const tab = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(LONG);
    await page.goto(server.url + path);
    return page;
  };

  // A match for two people, made on the page
  const host = await open(running, server, server.code && `/#code=${server.code}`, desk);
  await host.getByLabel("Your name").fill("Ann");
  await host.getByText("New match", { exact: true }).click();
  await host.getByLabel("How many").selectOption("3");
  await host.getByLabel("Seat 2").selectOption("human");
  await host.getByLabel("Seat 3").selectOption("dummy");
  await host.getByText("More options").click();
  await host.getByLabel("Rating").selectOption("yes");
  await host.getByLabel("Most rounds").fill("2");
  await host.getByRole("button", { name: "Make this match" }).click();
  await host.getByRole("button", { name: "Leave the seat" }).waitFor();
  const link = await linkIn(host, ".room");
  const path = new URL(link, server.url).pathname;

  // The guest comes, closes the tab, and comes again
  const first = await open(running, server, link, desk);
  await first.getByLabel("Your name").fill("Ben");
  await first.getByRole("button", { name: "Take a seat" }).click();
  await first.locator(".play").waitFor();
  await first.close();
  const guest = await tab(first.context(), link);
  await guest.locator(".play .whose, .play .ask, .prompt").first().waitFor();
  expect(await guest.getByText("You are watching.").count()).toBe(0);
  /** Let the suggestions be played on some pages until something holds. */
  const play = async (pages: readonly Page[], isEnough: () => Promise<boolean>): Promise<void> => {
    for (;;) {
      for (const page of pages) {
        if (await isEnough()) return;
        if (await isAsked(page)) await move(page);
      }
    }
  };
  await play([host], async () => await isAsked(guest));
  await move(guest);

  // On a phone
  const moved = await device(guest, "Ben");
  const mobile = await open(running, server, moved, phone);
  await mobile.getByRole("button", { name: "Yes, it was me" }).click();
  await mobile.locator(".list.own .matches > li").getByRole("link").click();
  await mobile.locator(".play").waitFor();
  expect(new URL(mobile.url()).pathname).toBe(path);
  expect(await mobile.getByText("You are watching.").count()).toBe(0);

  // The server is killed, and comes back
  await server.kill();
  await server.run();
  await play([host, mobile], async () => (await host.locator(".turn .round").innerText()).includes("Round 2"));

  // At a terminal
  const trusted = access.includes("--tls-cert") ? ["--tls-ca", access[1] ?? ""] : server.terminalCode ? ["--code", server.terminalCode] : [];
  const code = new URLSearchParams(new URL(await device(guest, "Ben"), server.url).hash.slice(1)).get("device") ?? "";
  const terminal = new Terminal(server, ["--match", path.slice(3), ...trusted], ["person", "use", server.address, code, ...trusted]);
  await terminal.reads("Type help for what can be typed.");
  while (!(await isOver(host))) {
    if (await isAsked(host)) await move(host);
    else if (terminal.isAsked) {
      await terminal.type("suggest", /Suggestion: [^]*seat \d> /);
      await terminal.type("ok", /\b[Yy]ou /);
    }
  }
  terminal.end();

  // A rematch, and what is seen of both afterwards
  await mobile.locator(".over").waitFor();
  await host.getByRole("button", { name: "Another game with the same players" }).click();
  await mobile.getByText("There is another game").waitFor();
  await mobile.getByRole("button", { name: "Another game with the same players" }).click();
  await Promise.all([host, mobile].map(async (page) => await page.waitForURL((url) => url.pathname !== path && url.pathname.startsWith("/m/"))));
  await Promise.all([host, mobile].map(async (page) => await page.locator(".play").waitFor()));
  const next = new URL(host.url()).pathname;
  expect(new URL(mobile.url()).pathname).toBe(next);
  for (const page of [host, mobile]) {
    await page.getByRole("link", { name: "Vinci" }).click();
    await page.locator(`.list.own a[href^="${next}"]`).waitFor();
    await page.locator(".list.own .matches > li", { has: page.locator(`a[href^="${path}"]`) }).getByText(/Your place: [1-4] of \d/).waitFor();
    await page.getByRole("link", { name: "Players and their ratings" }).click();
    await until(async () => /Ann[^]*Ben|Ben[^]*Ann/.test(await rows(page, "tbody tr")), () => "no ratings");
  }
  for (const page of [host, guest, mobile]) await page.context().close();
}

const BROWSERS = { Chromium: browser, Firefox: firefoxBrowser };

for (const [name, start] of Object.entries(BROWSERS)) {
  const hasBrowser = name !== "Firefox" || existsSync(FIREFOX);
  for (const [kind, options] of Object.entries(ACCESS)) {
    const isPossible = hasBrowser && (kind !== "TLS" || spawnSync("openssl", ["version"]).status === 0);
    test.runIf(isPossible)(`a guest's evening in ${name} with ${kind}`, async () => {
      const access = options();
      const [server, running] = await Promise.all([Server.start("--bots", "", ...access), start()]);
      try {
        await evening(running, server, access, name === "Chromium");
      } finally {
        await Promise.all([running.close(), server.stop()]);
      }
    });
  }
}
