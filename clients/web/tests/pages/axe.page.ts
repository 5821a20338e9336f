/** Every state of the pages is accessible, in both themes, on a phone and on a desk: by axe, and what a screen reader finds. */

import type { Browser } from "playwright-core";
import { expect, test } from "vitest";

import { STATES } from "./states";
import { complaints, DESK, PHONE, Server, stage } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
});

/** States in which it is the own move. */
const DECIDED = ["draft", "conquer", "peace", "abandon", "hold", "decline", "stay", "redeploy"];
const SCREENS = { phone: PHONE, desk: DESK };

for (const [name, reach] of Object.entries(STATES)) {
  test.each(Object.entries(SCREENS))(`axe reports nothing and the tree is whole: ${name}, %s`, async (_, screen) => {
    const page = await reach({ server, running, screen });
    await page.evaluate(() => document.querySelector("main")?.scrollTo(0, 10_000)); // what the sheet covers can be scrolled out of it
    for (const theme of ["light", "dark"]) {
      await page.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
      expect(await complaints(page), theme).toEqual([]);
    }
    const tree = (await page.locator("body").ariaSnapshot()).split("\n");
    expect(tree.filter((line) => /^ *- (button|link|textbox|combobox|checkbox|img|tab|region)( \[[^\]]*\])*:?$/.test(line)), "without a name").toEqual([]);
    expect(tree.filter((line) => /^ *- heading .*\[level=1\]/.test(line)).length, "headings of the page").toBe(1);
    if (DECIDED.includes(name)) expect(tree.filter((line) => /region "Decision"|paragraph: 1 Your move\./.test(line)).length).toBe(2);
    // a screen reader would read pawns without their province: the provinces are buttons that tell all of it
    expect(tree.filter((line) => /text: .*\d \d .*\d \d /.test(line))).toEqual([]);
    await page.context().close();
  });
}
