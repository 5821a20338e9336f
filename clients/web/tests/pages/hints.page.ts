/** A first game: what the lobby says, hints for each phase once, and how they end. */

import type { Browser, Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import lessons from "../../src/tutorial/lessons/en.json";
import { complaints, DESK, open, PHONE, ready, Server, sit, stage, through } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--bots", "");

/** The last move of a game: seat 1 passes the target in it. */
const LAST =
  "europe; rules standard target=90 max_rounds=2; round 2; order 2 3 1; turn 1 conquer; seat 1 vp=88 | WEA+CUR reserve=5 BOH=2 BAV=2 SAX=2; " +
  "seat 2 dummy vp=12 | MIL+POR POL=4 LIV=3; seat 3 dummy vp=14 | AST+BAR NEU=5 AQU=4";

async function newcomer(path: string, screen: typeof PHONE): Promise<Page> {
  const page = await open(running, server, "/", screen);
  await page.evaluate(() => localStorage.setItem("vinci-settings", JSON.stringify({ language: "en", pace: 0 })));
  await page.goto(server.url + path);
  return page;
}

const hint = (page: Page) => page.getByRole("region", { name: "Hint" });
const unfold = async (page: Page): Promise<void> => await hint(page).getByRole("button", { name: "Hint", expanded: false }).tap();
const told = async (page: Page, name: keyof typeof lessons.hints): Promise<void> => await hint(page).getByText(lessons.hints[name]).waitFor();

test("a newcomer is told what the game is, and where to learn it, in lobby and waiting room", async () => {
  const page = await newcomer("/", PHONE);
  const card = page.getByRole("region", { name: "What is Vinci?" });
  await card.waitFor();
  expect(await complaints(page)).toEqual([]);
  await card.getByRole("link", { name: "Rules" }).click();
  await page.getByRole("dialog").getByRole("heading", { name: "The game in short" }).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await card.getByRole("link", { name: "Learn it in a short game" }).click();
  await page.getByRole("button", { name: "Begin" }).waitFor();
  const seats = [{ kind: "SEAT_KIND_HUMAN" }, { kind: "SEAT_KIND_HUMAN" }, { kind: "SEAT_KIND_DUMMY" }];
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { seats });
  await page.goto(`${server.url}/m/${match.matchId}`);
  await card.getByRole("link", { name: "Rules" }).waitFor();
  const opened = page.context().waitForEvent("page");
  await card.getByRole("link", { name: "Learn it in a short game (in a new tab)" }).click();
  await (await opened).getByRole("button", { name: "Begin" }).waitFor();
  await page.getByRole("heading", { name: "Waiting room" }).waitFor(); // the seat is not left
  await page.context().close();
});

test("each phase has a hint, once, with an example that can be chosen", async () => {
  const id = await server.solo({ seed: "hints" });
  const page = await newcomer(`/m/${id}`, PHONE);
  await sit(page, "Ann");
  const act = page.locator(".play .act");
  const play = async (): Promise<void> => {
    await ready(page);
    await through(page, async () => await act.tap());
  };
  await told(page, "draft");
  await hint(page).getByText(/^Your goal: the most VP/).waitFor();
  expect(await page.locator(".news").count()).toBe(0); // the hint tells it, and civilizations have the room
  await hint(page).getByText(/^For example .+: it did best when the server played the game on/).waitFor();
  expect(await complaints(page)).toEqual([]);
  const bottomOf = async (part: Locator): Promise<number> => await part.evaluate((element) => element.getBoundingClientRect().bottom);
  const top = await hint(page).evaluate((element) => element.getBoundingClientRect().top);
  const [card, button, sheet] = [await bottomOf(hint(page)), await bottomOf(hint(page).getByRole("button", { name: "No more hints" })), (await page.locator(".play").boundingBox())?.y ?? 0];
  expect(button).toBeLessThan(card);
  expect(card - top).toBeLessThan(0.75 * (sheet - top)); // the board is seen below
  await hint(page).getByRole("button", { name: "Hint", expanded: true }).tap();
  await unfold(page);
  await hint(page).getByRole("button", { name: "Choose it" }).tap();
  await play();
  await told(page, "entry");
  expect(await page.locator(".news").count()).toBe(0);
  const line = (await hint(page).boundingBox())?.height ?? Infinity;
  expect(line).toBeLessThan(40); // provinces are seen
  await unfold(page);
  expect((await hint(page).boundingBox())?.height).toBeGreaterThan(2 * line);
  await hint(page).getByText(/^For example .+ for \d+ pawns?( by Spies)?: it did best when the server played the game on/).waitFor();
  await page.reload();
  await told(page, "entry"); // nothing was decided yet
  await unfold(page);
  await hint(page).getByRole("button", { name: "Choose it" }).tap();
  await act.getByText(/^Conquer /).waitFor();
  await play();
  await told(page, "conquer");
  await unfold(page);
  await hint(page).getByRole("button", { name: "Understood" }).tap();
  await hint(page).waitFor({ state: "detached" });
  await page.locator(".chips button").first().tap();
  await play();
  expect(await hint(page).count()).toBe(0);
  await page.locator('.modes [data-mode="hold"]').tap();
  await told(page, "hold");
  await play();
  const asked = await page.locator(".prompt b").innerText();
  await told(page, asked === "Place your survivors" ? "redeploy" : "again");
  await unfold(page);
  await hint(page).getByRole("button", { name: "No more hints" }).tap();
  await hint(page).waitFor({ state: "detached" });
  await page.reload();
  await page.locator(".prompt").waitFor();
  await page.getByText("Settings").click();
  const box = page.getByRole("checkbox", { name: "Hints until the first game is finished" });
  expect(await box.isChecked()).toBe(false);
  await box.check();
  await told(page, asked === "Place your survivors" ? "redeploy" : "again"); // it was not seen to its end
  await page.context().close();
});

test("a hint has its parts in one order, whose buttons stay, and covers nothing that is placed", async () => {
  const page = await newcomer(`/m/${await server.solo({ position: LAST.replace("vp=88", "vp=8") })}`, DESK);
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/*MatchService/Suggest", async (route) => {
    await asked;
    await route.continue();
  });
  await sit(page, "Ann");
  await told(page, "conquer");
  const understood = hint(page).getByRole("button", { name: "Understood" });
  await hint(page).getByText("The server is thinking …").waitFor();
  const before = await understood.boundingBox();
  answer();
  const choose = hint(page).getByRole("button", { name: "Choose it" });
  await choose.waitFor();
  expect(await understood.boundingBox()).toEqual(before);
  expect((await choose.boundingBox())?.y).toBeLessThan(before?.y ?? 0);
  await choose.click();
  expect(await choose.count()).toBe(0);
  await page.locator('.modes [data-mode="hold"]').click();
  await told(page, "hold");
  const covered = await page.evaluate(() => {
    const card = document.querySelector(".lesson")?.getBoundingClientRect() ?? new DOMRect();
    const lands = ["BOH", "BAV", "SAX"].map((code) => document.querySelector(`[data-province="${code}"]`)?.getBoundingClientRect() ?? card);
    return lands.filter(({ left, right, top, bottom }) => left < card.right && right > card.left && top < card.bottom && bottom > card.top).length;
  });
  expect(covered).toBe(0);
  await page.context().close();
});

test("who has finished a game gets none, and a short lobby", async () => {
  const page = await newcomer(`/m/${await server.solo({ position: LAST })}`, DESK);
  await sit(page, "Ann");
  await told(page, "conquer");
  await page.locator('.modes [data-mode="hold"]').click();
  await told(page, "hold");
  await ready(page);
  await page.locator(".play .act").click();
  await page.locator(".outcome").first().waitFor();
  await page.goto(server.url);
  await page.getByRole("link", { name: "Learn it in a short game" }).waitFor();
  expect(await page.getByRole("region", { name: "What is Vinci?" }).count()).toBe(0);
  await page.goto(`${server.url}/m/${await server.solo({ seed: "again" })}`);
  await sit(page, "Ann");
  await page.locator(".option").first().waitFor();
  expect(await hint(page).count()).toBe(0);
  await page.context().close();
});
