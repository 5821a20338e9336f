/** From the lobby to a game, and games seen again: a guest with a phone, a match made for two, a replay and a record. */

import { readFileSync } from "node:fs";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { browser, complaints, DESK, LONG, introduce, open, PHONE, Server } from "./world";

const PASSWORD = "far from the coast";

let server: Server;
let closed: Server;
let running: Browser;

beforeAll(async () => {
  [server, closed, running] = await Promise.all([Server.start("--web-name", "evening.test"), Server.start("--password", PASSWORD), browser()]);
});

afterAll(async () => {
  await running.close();
  await Promise.all([server.stop(), closed.stop()]);
});

/** Wait until a match is over. */
async function over(matchId: string): Promise<void> {
  const ask = async (): Promise<string> =>
    (await server.call<{ match: { status: string } }>("LobbyService/GetMatch", { matchId })).match.status;
  await expect.poll(ask, { timeout: LONG, interval: 200 }).toBe("MATCH_STATUS_OVER");
}

const stepOf = async (page: Page): Promise<number> => Number.parseInt(await count(page), 10);
const count = async (page: Page): Promise<string> => await page.locator(".film .count").innerText();

test("a guest with a phone is asked for the password and plays against easy opponents", async () => {
  const page = await open(running, closed, "/", PHONE);
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Enter" }).tap();
  await page.getByText("That is not the password of this server.").waitFor();
  expect(await complaints(page)).toEqual([]);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Enter" }).tap();
  await introduce(page, "Ann");
  expect(await complaints(page)).toEqual([]);
  await page.getByRole("button", { name: "Easy" }).tap();
  await page.locator(".play .act").waitFor();
  const players = (await page.locator(".scores-pane").textContent()) ?? "";
  expect([players.includes("Ann"), players.split("Easy").length - 1]).toEqual([true, 3]);
  expect(page.url()).not.toContain("coast");
  await page.context().close();
});

test("the start page of a phone scrolls inside of its frame, and the frame stays", async () => {
  const page = await open(running, server, "/", PHONE);
  await page.getByText("New match", { exact: true }).tap();
  await page.getByLabel("How many").waitFor();
  const [list, whole, window] = await page.evaluate(() => [document.querySelector("main")?.scrollHeight ?? 0, document.documentElement.scrollHeight, innerHeight]);
  expect(list).toBeGreaterThan(window);
  expect(whole).toBe(window);
  await page.context().close();
});

test("a guest without the link is asked for the join code, one with it is not", async () => {
  const server = await Server.start("--code", "--bots", "");
  const page = await open(running, server, "/", PHONE);
  await page.getByText("This server asks for its join code.").waitFor();
  expect(await complaints(page)).toEqual([]);
  await page.getByLabel("Join code").fill("aaaa-aaaa");
  await page.getByRole("button", { name: "Enter" }).tap();
  await page.getByText("That is not the join code of this server.").waitFor();
  expect(await complaints(page)).toEqual([]);
  await page.getByLabel("Join code").fill(server.code);
  await page.getByRole("button", { name: "Enter" }).tap();
  await page.getByLabel("Your name").waitFor();
  const guest = await open(running, server, `/#code=${server.code}`, DESK);
  await guest.getByLabel("Your name").waitFor();
  expect(guest.url()).toBe(`${server.url}/`);
  for (const one of [page, guest]) await one.context().close();
  await server.stop();
});

test("a link that only this machine can open has no QR code, and says how others can", async () => {
  const server = await Server.start("--bots", "");
  const page = await open(running, server, "/", PHONE);
  await page.getByText("Only browsers on this machine can open this link. The owner of this server can let others in by starting it with: vinci serve --lan").waitFor();
  expect(await page.getByRole("img", { name: "QR code of the link" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Copy the link" }).count()).toBe(0);
  expect(await complaints(page)).toEqual([]);
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { seats: Array(3).fill({ kind: "SEAT_KIND_HUMAN" }) });
  await page.goto(`${server.url}/m/${match.matchId}`);
  await page.getByRole("button", { name: "Sit down at seat 2" }).waitFor();
  expect(await page.getByText("Only browsers on this machine").count()).toBe(0); // a guest is there and cannot start a server
  await page.context().close();
  await server.stop();
});

test("a match is made with its options, and another comes by its link", async () => {
  const host = await open(running, server, "/", DESK);
  await introduce(host, "Ann");
  await host.getByText("New match", { exact: true }).click();
  await host.getByLabel("How many").selectOption("3");
  await host.getByRole("button", { name: "Invite others" }).click();
  await host.getByLabel("Seat 3").selectOption("dummy");
  await host.getByLabel("Board").selectOption("tiny");
  await host.getByText("More options", { exact: true }).click();
  await host.getByLabel("VP that end the game").fill("99999");
  expect(await complaints(host)).toEqual([]);
  await host.getByRole("button", { name: "Make this match" }).click();
  expect(await host.getByLabel("VP that end the game").evaluate((field: HTMLInputElement) => field.validity.valid)).toBe(false);
  await host.getByLabel("VP that end the game").fill("33");
  await host.getByLabel("Clock").first().selectOption("other");
  await host.getByLabel("Clock: another value").fill("9999999h");
  await host.getByRole("button", { name: "Make this match" }).click();
  await host.getByText("35999996400 seconds are too long; the most is 2592000, a month.").waitFor();
  expect(await host.getByLabel("Clock: another value").getAttribute("aria-invalid")).toBe("true");
  await host.getByLabel("Clock: another value").fill("10m + 15 s");
  await host.getByRole("button", { name: "Make this match" }).click();
  await host.getByText("1 seat is still free. As soon as all are taken, the game begins by itself.").waitFor();
  await host.getByText("10 min + 15 s").waitFor(); // after it, since the list of matches, which is left now, has this text, too
  expect(await host.getByRole("button", { name: "Start the game" }).count()).toBe(0);
  await host.getByRole("img", { name: "QR code of the link" }).waitFor();
  expect(await complaints(host)).toEqual([]);

  const link = new URL((await host.locator(".invitation a").getAttribute("href")) ?? "");
  expect(link.hostname).toBe("evening.test");
  const guest = await open(running, server, link.pathname, PHONE);
  await introduce(guest, "Bert");
  expect(await complaints(guest)).toEqual([]);
  await guest.getByRole("button", { name: "Take a seat" }).tap();
  await guest.locator(".play").waitFor();
  await host.locator(".play").waitFor();
  expect(await host.locator(".scores-pane").textContent()).toMatch(/Ann.*Bert|Bert.*Ann/s);
  const listed = await open(running, server, "/", DESK);
  await listed.locator(".matches .status").first().waitFor();
  expect(await listed.locator(".matches > li").first().textContent()).toMatch(/Ann.*Bert.*opening draft.*Board: Tiny.*Clock: 10 min \+ 15 s/s);
  for (const page of [host, guest, listed]) await page.context().close();
});

test("the host gives a free seat to a computer player and starts", async () => {
  const host = await open(running, server, "/", DESK);
  await introduce(host, "Ann");
  await host.getByText("New match", { exact: true }).click();
  await host.getByRole("button", { name: "Invite others" }).click();
  await host.getByText("More options", { exact: true }).click();
  await host.getByRole("combobox", { name: "Start", exact: true }).selectOption("host");
  await host.getByRole("button", { name: "Make this match" }).click();
  await host.getByText("1 seat is still free. When all are taken, whoever made the match starts the game.").waitFor();
  await host.getByLabel("Who sits at seat 2").selectOption("easy");
  await host.getByText("Everybody is here.").waitFor();
  await host.getByRole("button", { name: "Start the game" }).click();
  await host.locator(".play").waitFor();
  await host.context().close();
});

test("a match that is over is seen again by keys, and its record from a file", async () => {
  const seats = ["SEAT_KIND_BOT", "SEAT_KIND_DUMMY", "SEAT_KIND_DUMMY"].map((kind) => ({ kind, ...(kind.endsWith("BOT") ? { bot: "easy" } : {}) }));
  const request = { seats, startWhenFull: true, board: "tiny", seed: "film", options: { settings: { target: "30" } } };
  const { matchId } = (await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", request)).match;
  await over(matchId);

  const page = await open(running, server, `/m/${matchId}`, DESK);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the game as a file" }).click();
  const record = readFileSync(await (await saving).path(), "utf8");
  const last = record.trim().split("\n").length - 2;
  await page.getByRole("button", { name: "See it again" }).click();
  await expect.poll(() => stepOf(page), { timeout: LONG }).toBeGreaterThan(0); // it plays
  await page.keyboard.press("Home");
  await expect.poll(() => count(page), { timeout: LONG }).toBe(`0 of ${last}`);
  expect(await complaints(page)).toEqual([]);
  for (const [key, step] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["End", last], ["Home", 0]] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => stepOf(page), { timeout: LONG }).toBe(step);
  }
  await page.keyboard.press("PageDown");
  await expect.poll(() => stepOf(page), { timeout: LONG }).toBeGreaterThan(0);
  await page.keyboard.press("End");
  await page.locator(".turn").getByText("The game is over.", { exact: true }).first().waitFor();
  await page.getByRole("combobox", { name: "Speed", exact: true }).selectOption("very quick");
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => stepOf(page), { timeout: LONG }).toBeGreaterThan(2);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.context().close();

  const other = await open(running, server, "/r", PHONE);
  await other.getByLabel("File of a record").waitFor();
  expect(await complaints(other)).toEqual([]);
  const broken = Buffer.from(record.replace('"n":3,', '"n":4,'));
  await other.getByLabel("File of a record").setInputFiles({ name: "broken.jsonl", mimeType: "text/plain", buffer: broken });
  await other.getByText("Line 4 of the record is wrong").waitFor();
  expect(await count(other)).toBe("0 of 2");
  await other.getByRole("button", { name: "Another file …" }).tap();
  await other.getByLabel("File of a record").setInputFiles({ name: "film.jsonl", mimeType: "text/plain", buffer: Buffer.from(record) });
  await expect.poll(() => count(other), { timeout: LONG }).toBe(`0 of ${last}`);
  expect(await complaints(other)).toEqual([]);

  const noted = record.trim().split("\n").slice(1).map((line) => JSON.parse(line) as { n: number; seat: number; by: string }).find(({ by }) => by === "bot");
  const note = { n: noted?.n, seat: noted?.seat, note: { text: "worth <b>most</b>", value: 3.5, lines: ["x AQU: 3.0"] } };
  const notes = Buffer.from(`${JSON.stringify(note)}\n{"n": 0}\n`);
  await other.getByRole("button", { name: "Another file …" }).tap();
  await other.getByLabel("File of a record").setInputFiles([
    { name: "film.notes.json", mimeType: "text/plain", buffer: notes },
    { name: "film.jsonl", mimeType: "text/plain", buffer: Buffer.from(record) },
  ]);
  await other.getByText("Lines that are no notes of this game: 1").waitFor();
  for (let step = 0; step < (noted?.n ?? 0); step += 1) await other.getByRole("button", { name: "Next step" }).tap();
  await other.getByText("Easy (1) notes: 3.5  worth <b>most</b>").waitFor();
  await other.getByText("x AQU: 3.0").waitFor();
  expect(await complaints(other)).toEqual([]);
  await other.context().close();
});

test("without its server the page stays, says so, and goes on when the server is back", async () => {
  const server = await Server.start("--bots", "easy");
  const page = await open(running, server, "/", DESK);
  await page.getByRole("button", { name: "Easy" }).waitFor();
  await server.kill();
  const lost = page.getByText("The connection is lost; it is tried again.");
  await lost.waitFor();
  const header = await page.locator(".top").boundingBox();
  expect((await lost.boundingBox())?.y).toBe((header?.y ?? 0) + (header?.height ?? 0)); // outside of what scrolls
  expect(await page.getByRole("button", { name: "Easy" }).isDisabled()).toBe(true);
  const note = page.getByText("This cannot be loaded. Try again when the server can be reached.");
  for (const pressed of [page.getByLabel("Rules", { exact: true }), page.getByRole("link", { name: "Learn it in a short game" }), page.getByText("New match", { exact: true })]) {
    await pressed.click();
    await note.waitFor();
    expect(page.url()).toBe(`${server.url}/`);
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await note.waitFor({ state: "detached" });
  }
  await server.run();
  await lost.waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Easy" }).isEnabled()).toBe(true);
  await page.getByRole("link", { name: "Learn it in a short game" }).click();
  await page.getByRole("button", { name: "Begin" }).waitFor();
  expect(page.url()).toBe(`${server.url}/tutorial`);
  await page.goBack();
  await page.getByText("New match", { exact: true }).click();
  await page.getByText("You sit at seat 1.", { exact: true }).waitFor(); // a lone visitor waits for nobody
  await page.getByRole("button", { name: "Invite others" }).click();
  await page.getByText("You sit at seat 1. The match waits until other people have joined: seat 2.").waitFor();
  await page.getByLabel("Seat 3").selectOption("human");
  await page.getByText("The match waits until other people have joined: seat 2 and seat 3.").waitFor();
  await page.getByLabel("Seat 1").selectOption("dummy");
  await page.getByText("You sit at seat 2. The match waits until other people have joined: seat 3.").waitFor();
  await page.getByText("Dummies play by fixed rules").waitFor();
  expect(await page.getByLabel("Seat 4").locator("option").allInnerTexts()).toEqual(["person", "dummy", "computer player Easy", "any computer player"]);
  await page.context().close();
  await server.stop();
});
