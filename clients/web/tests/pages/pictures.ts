/** Draws each phase, the lobby and a league at three sizes into docs/pictures/web, to be looked at after a change of how the page looks. */

import { mkdirSync, writeFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { test } from "vitest";

import { PHASES, STATES } from "./states";
import { browser, DESK, League, open, PHONE, Server } from "./world";

const FOLDER = "../../docs/pictures/web";
/** The screens, each with theme, quality in percent and scale of the picture, so that all together have about 2 MB. */
const SCREENS = {
  phone: [{ ...PHONE, viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 }, "light", 35, 1],
  desk: [{ ...DESK, viewport: { width: 1440, height: 900 } }, "light", 20, 1],
  "4k": [{ ...DESK, viewport: { width: 3840, height: 2160 } }, "dark", 8, 0.5],
} as const;

/** Width and height of the screens of `ALL=FOLDER`. */
const SIZES = [
  [390, 844],
  [1280, 800],
  [1366, 657],
  [1920, 1080],
  [3840, 2160],
] as const;

/** Games after which a league is drawn. */
const GAMES = 40;

type Clip = { x: number; y: number; scale: number; width: number; height: number };

/** Write the picture of a page in a theme, and close the page. */
async function draw(page: Page, name: string, theme: string, quality: number, clip: Clip): Promise<void> {
  await page.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality, clip });
  writeFileSync(`${FOLDER}/${name}.webp`, Buffer.from(data, "base64"));
  await page.context().close();
}

/** Draw every state at every size in both themes as NAME-SIZE-THEME.png into a folder, to be looked at. */
async function drawAll(folder: string): Promise<void> {
  const [server, running] = await Promise.all([Server.start(), browser()]);
  mkdirSync(folder, { recursive: true });
  const only = process.env["STATE"]?.split(",");
  const missed: unknown[] = [];
  for (const [name, reach] of Object.entries(STATES)) {
    if (only && !only.includes(name)) continue;
    for (const [width, height] of SIZES) {
      const kind = width < 600 ? PHONE : DESK;
      try {
        const page = await reach({ server, running, screen: { ...kind, viewport: { width, height }, deviceScaleFactor: 1 } });
        await page.mouse.move(0, 0); // where it was left, an explanation may come
        for (const theme of ["light", "dark"]) {
          await page.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
          await page.screenshot({ path: `${folder}/${name}-${String(width)}-${theme}.png` });
        }
        await page.context().close();
      } catch (error) {
        missed.push(new Error(`${name} at ${String(width)}`, { cause: error })); // the others are drawn
      }
    }
  }
  await running.close();
  await server.stop();
  if (missed.length > 0) throw new AggregateError(missed, `not reached: ${missed.join(", ")}`);
}

const all = process.env["ALL"];

test.runIf(all)("all states", async () => await drawAll(all ?? ""), 3_600_000);

test.skipIf(all)("pictures", async () => {
  const [server, running] = await Promise.all([Server.start(), browser()]);
  mkdirSync(FOLDER, { recursive: true });
  for (const name of PHASES) {
    for (const [kind, [screen, theme, quality, scale]] of Object.entries(SCREENS)) {
      const page = await STATES[name]?.({ server, running, screen });
      if (!page) throw new Error(`there is no state ${name}`);
      await draw(page, `${name}-${kind}`, theme, quality, { x: 0, y: 0, scale, ...screen.viewport });
    }
  }
  for (const [kind, [screen, theme, quality, scale]] of Object.entries(SCREENS)) {
    const league = await League.start("--bots", "easy", "normal", "greedy", "random", "--games", "2000", "--workers", "1", "--name", "Cup");
    const page = await open(running, league, "/league", screen);
    await page.locator("tbody tr").first().waitFor();
    await page.locator('section[aria-labelledby="running"] li').first().waitFor();
    await page.waitForFunction((count) => Number(document.querySelector("tbody td:last-child")?.textContent) > count, GAMES);
    await draw(page, `league-${kind}`, theme, quality, { x: 0, y: 0, scale, ...screen.viewport });
    await league.stop();
  }
  await running.close();
  await server.stop();
}, 3_600_000);
