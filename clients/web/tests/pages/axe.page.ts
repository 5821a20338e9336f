/** Every state of the pages is accessible, in both themes, on a phone and on a desk. */

import type { Browser } from "playwright-core";
import { expect, test } from "vitest";

import { STATES } from "./states";
import { complaints, DESK, PHONE, Server, stage } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
});

const SCREENS = { phone: PHONE, desk: DESK };

for (const [name, reach] of Object.entries(STATES)) {
  test.each(Object.entries(SCREENS))(`axe reports nothing: ${name}, %s`, async (_, screen) => {
    const page = await reach({ server, running, screen });
    await page.evaluate(() => document.querySelector("main")?.scrollTo(0, 10_000)); // what the sheet covers can be scrolled out of it
    for (const theme of ["light", "dark"]) {
      await page.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
      expect(await complaints(page), theme).toEqual([]);
    }
    await page.context().close();
  });
}
