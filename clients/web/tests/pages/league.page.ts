/** The page of a league that runs: live standings and games, the end, and a server without a league. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { browser, complaints, DESK, League, LONG, open, PHONE, Server } from "./world";

let running: Browser;

beforeAll(async () => {
  running = await browser();
});

afterAll(async () => {
  await running.close();
});

const STANDINGS = 'section[aria-labelledby="standings"] tbody tr';

test("standings, ratings and running games are live until the league is over", async () => {
  const league = await League.start("--bots", "easy", "easy", "normal", "--seats", "3", "--games", "60", "--workers", "2", "--name", "Cup");
  try {
    const page = await open(running, league, "/", DESK);
    const phone = await open(running, league, "/league", PHONE);
    const played = async (): Promise<number> => Number(/(\d+) of/.exec(await page.locator(".league-progress p").innerText())?.[1]);
    await page.getByRole("heading", { name: "League · Cup" }).waitFor();
    await page.locator('section[aria-labelledby="running"] li').first().waitFor();
    expect(page.url()).toBe(`${league.url}/league`);
    const first = await played();
    for (const one of [page, phone]) {
      await one.getByText("As a table").click();
      for (const theme of ["light", "dark"]) {
        await one.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
        expect(await complaints(one), theme).toEqual([]);
      }
    }
    await expect.poll(played, { timeout: LONG }).toBeGreaterThan(first);
    for (const one of [page, phone]) {
      await one.getByText("The league is over.").waitFor();
      expect(await one.locator(STANDINGS).count()).toBe(3);
      expect(await one.locator(".lines circle").count()).toBe(3);
      expect(await one.locator(".lines").getAttribute("aria-label")).toMatch(/^Ratings over games: \S+ -?\d+\.\d, .*\d$/);
      expect(await one.locator("details thead th").last().innerText()).toBe("60 games");
      expect(await one.locator("details tbody tr").count()).toBe(3);
      expect(await one.locator(".lost").count()).toBe(0);
      const rated = one.getByRole("region", { name: "Full report" });
      await rated.locator("tbody tr").nth(2).waitFor(); // when the report is made
      expect(await rated.locator("tbody tr").first().innerText()).toMatch(/^1\s+\S+\s+[+−]\d+\s+[+−]\d+ … [+−]\d+\s+·\s+\d+\s+\d+$/);
      expect(await complaints(one)).toEqual([]);
    }
    await page.locator('section[aria-labelledby="latest"] a').first().click(); // its server stays while a page is open
    await page.locator(".film").waitFor();
    await phone.getByRole("link", { name: "Full report" }).click();
    await phone.getByRole("heading", { name: "Standings" }).waitFor();
    await page.goto(`${league.url}/league`);
    await page.getByText("The league is over.").waitFor();
    await league.stop();
    await expect.poll(async () => await page.locator('section[aria-labelledby="latest"] a').count(), { timeout: LONG }).toBe(0);
    expect([await page.locator(STANDINGS).count(), await page.locator(".lost").count()]).toEqual([3, 0]);
    for (const one of [page, phone]) await one.context().close();
  } finally {
    await league.stop();
  }
});

test("forfeits are told by reason with the last words of the bot, and how long bots think", async () => {
  const broken = `${process.execPath} -e "console.log('I give up');process.exit(3)"`;
  const league = await League.start("--bots", broken, "easy", "normal", "--seats", "3", "--games", "30", "--workers", "1");
  try {
    for (const screen of [DESK, PHONE]) {
      const page = await open(running, league, "/league", screen);
      const row = page.locator('section[aria-labelledby="bots"] tbody tr').first();
      await row.getByText("did not start").or(row.getByText("ended early")).waitFor();
      await row.getByText("I give up").waitFor();
      await page.locator('section[aria-labelledby="bots"] tbody tr', { hasText: "normal" }).getByText(" ms").first().waitFor();
      expect(await complaints(page)).toEqual([]);
      await page.context().close();
    }
  } finally {
    await league.stop();
  }
});

test("a league that was stopped is shown as it was last seen, and not as live", async () => {
  const league = await League.start("--bots", "easy", "easy", "normal", "--seats", "3", "--games", "3000", "--workers", "1");
  const page = await open(running, league, "/league", DESK);
  await page.locator(STANDINGS).first().waitFor();
  await league.stop();
  await page.getByRole("alert").waitFor();
  expect(await page.locator(`.old ${STANDINGS}`).count()).toBe(3);
  expect(await complaints(page)).toEqual([]);
  await page.context().close();
});

test("a game that is over is replayed from the list of the latest ones, until one goes back to the league", async () => {
  const league = await League.start("--bots", "easy", "easy", "normal", "--seats", "3", "--games", "3000", "--workers", "1");
  try {
    for (const screen of [DESK, PHONE]) {
      const page = await open(running, league, "/league", screen);
      const game = await page.locator('section[aria-labelledby="latest"] a').first().innerText();
      await page.getByRole("link", { name: game, exact: true }).click();
      await page.locator(".film").waitFor();
      expect(await page.locator("h1").innerText()).toBe(`League · ${game}`);
      expect(page.url()).toBe(`${league.url}/league/games/${game}`);
      await page.getByRole("button", { name: "Next step" }).click();
      await page.getByText(/^1 of \d+/).waitFor();
      await page.getByRole("slider").press("End");
      await page.getByRole("tab", { name: "VP" }).click();
      await page.locator(".lines circle").first().waitFor();
      expect(await complaints(page)).toEqual([]);
      await page.getByRole("link", { name: "League" }).click();
      await page.getByText("Latest games").waitFor();
      await page.context().close();
    }
    const page = await open(running, league, "/league/games/999-9", DESK);
    await page.getByRole("alert").waitFor();
    expect(await complaints(page)).toEqual([]);
    await page.context().close();
  } finally {
    await league.stop();
  }
});

test("the report of the games so far opens from the page", async () => {
  const bots = ["easy", "easy", "dummy", "dummy", "dummy", "random"];
  const league = await League.start("--bots", ...bots, "--seats", "3", "--games", "30000", "--workers", "1");
  try {
    const page = await open(running, league, "/league", DESK);
    await expect.poll(async () => Number(/(\d+) of/.exec(await page.locator(".league-progress p").innerText())?.[1]), { timeout: LONG }).toBeGreaterThan(20);
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    await page.getByRole("link", { name: "Full report" }).click();
    await page.getByRole("heading", { name: "Standings" }).waitFor();
    expect(page.url()).toBe(`${league.url}/league/report`);
    expect(await complaints(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  } finally {
    await league.stop();
  }
});

test("a server without a league says how to start one", async () => {
  const server = await Server.start("--bots", "");
  const page = await open(running, server, "/league", PHONE);
  await page.getByText("No league runs here.").waitFor();
  expect(await complaints(page)).toEqual([]);
  await page.context().close();
  await server.stop();
});
