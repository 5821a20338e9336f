/** Draws each phase at three sizes into docs/pictures/web, to be looked at after a change of how the page looks. */

import { mkdirSync, writeFileSync } from "node:fs";

import { test } from "vitest";

import { PHASES, STATES } from "./states";
import { browser, DESK, PHONE, Server } from "./world";

const FOLDER = "../../docs/pictures/web";
/** The screens, each with theme, quality in percent and scale of the picture, so that all together have about 2 MB. */
const SCREENS = {
  phone: [{ ...PHONE, viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 }, "light", 35, 1],
  desk: [{ ...DESK, viewport: { width: 1440, height: 900 } }, "light", 20, 1],
  "4k": [{ ...DESK, viewport: { width: 3840, height: 2160 } }, "dark", 8, 0.5],
} as const;

test("pictures", async () => {
  const [server, running] = await Promise.all([Server.start(), browser()]);
  mkdirSync(FOLDER, { recursive: true });
  for (const name of PHASES) {
    for (const [kind, [screen, theme, quality, scale]] of Object.entries(SCREENS)) {
      const page = await STATES[name]?.({ server, running, screen });
      if (!page) throw new Error(`there is no state ${name}`);
      await page.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
      const session = await page.context().newCDPSession(page);
      const clip = { x: 0, y: 0, scale, ...screen.viewport };
      const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality, clip });
      writeFileSync(`${FOLDER}/${name}-${kind}.webp`, Buffer.from(data, "base64"));
      await page.context().close();
    }
  }
  await running.close();
  await server.stop();
});
