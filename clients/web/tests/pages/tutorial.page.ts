/** The tutorial on the page, to its end: by touch with a reload in between, and by keys. */

import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";

import lessons from "../../src/tutorial/lessons/en.json";
import german from "../../src/tutorial/lessons/de.json";
import { complaints, DESK, open, PHONE, ready, Server, stage, through } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--bots", "");

const box = (page: Page) => page.locator(".lesson");

/** Wait until a step is shown and it is the own move. */
async function at(page: Page, step: number, titles: readonly { title: string }[] = lessons.steps, word = "of"): Promise<void> {
  await box(page).getByText(`${step} ${word} ${titles.length}: ${titles[step - 1]?.title ?? ""}`).waitFor();
  await page.locator(".play .prompt").waitFor();
}

/** Place survivors, as often as it is asked. */
async function survivors(page: Page): Promise<void> {
  while ((await page.locator(".prompt b").innerText()) === "Place your survivors") {
    await ready(page);
    await through(page, async () => await page.locator(".play .act").click());
  }
}

test("a phone finishes it by touch, is told what does not fit, and goes on after loading again", async () => {
  const page = await open(running, server, "/tutorial", PHONE);
  const act = page.locator(".play .act");
  const play = async (): Promise<void> => {
    await ready(page);
    await through(page, async () => await act.tap());
  };
  /** What the lesson does not want is faint, and a tap tells why. */
  const refused = async (): Promise<void> => {
    expect(await act.getAttribute("aria-disabled")).toBe("true");
    await act.tap({ force: true });
  };
  await page.getByRole("button", { name: "Begin" }).tap();
  await at(page, 1);
  expect(await complaints(page)).toEqual([]);
  const suggest = page.getByRole("button", { name: "Suggest" });
  await suggest.waitFor();
  await page.getByRole("button", { name: "Continue" }).tap();
  await at(page, 2);
  expect(await suggest.isVisible()).toBe(false); // it would contradict the lesson
  await page.locator(".option").first().tap();
  await refused();
  await page.getByRole("alert").getByText("For this lesson take the second civilization").waitFor();
  await page.locator(".option").nth(1).tap();
  await play();
  for (const [step, name] of [[3, "Conquer Baetica for 3"], [4, "Conquer the Pyrenees for 2"], [5, "Conquer Aquitaine for 1"]] as const) {
    await at(page, step);
    await act.getByText(name).waitFor(); // it is selected for the player
    await play();
  }
  await at(page, 6);
  await box(page).getByText("2 more").waitFor();
  await page.locator(".chips button").first().tap();
  await play();
  await box(page).getByText("1 more").waitFor();
  const match = page.url();
  await page.goto(`${server.url}/tutorial`);
  await page.getByRole("button", { name: "Go on" }).tap();
  await page.waitForURL(match);
  await page.reload();
  await at(page, 6);
  await box(page).getByText("1 more").waitFor();
  await through(page, async () => await page.getByRole("button", { name: "Undo" }).tap());
  await box(page).getByText("2 more").waitFor();
  for (let count = 0; count < 2; count += 1) {
    await page.locator(".chips button").first().tap();
    await play();
  }
  await at(page, 7);
  expect(await complaints(page)).toEqual([]);
  await page.locator('.modes [data-mode="hold"]').tap();
  await play();
  await at(page, 8);
  await survivors(page);
  await page.getByRole("button", { name: "Continue" }).tap();
  await at(page, 9);
  await page.locator(".chips button").first().tap();
  await refused();
  await page.getByRole("alert").getByText("Let this civilization decline now").waitFor();
  await page.locator('.modes [data-mode="decline"]').tap();
  await play();
  await at(page, 10);
  await page.locator(".option").first().tap();
  await play();
  await survivors(page);
  await at(page, 11);
  for (let count = 0; count < 2; count += 1) {
    await page.locator(".chips button").first().tap();
    await play();
  }
  await at(page, 12);
  await page.locator('.modes [data-mode="hold"]').tap();
  await refused();
  await page.getByRole("alert").getByText("In this step, build a fort first").waitFor();
  await page.getByRole("button", { name: /^A fort in / }).first().tap();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await play();
  await survivors(page);
  await at(page, 13);
  await box(page).getByText(/^You are ahead with \d+ VP; the others have \d+ and \d+\.$/).waitFor();
  const [card, button] = await Promise.all([box(page), page.getByRole("button", { name: "Play on" })].map(async (part) => await part.boundingBox()));
  expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan((card?.y ?? 0) + (card?.height ?? 0)); // the text scrolls
  await page.getByRole("button", { name: "End the tutorial" }).tap();
  await page.waitForURL(`${server.url}/`);
  await page.goto(match);
  await page.locator(".play.over .ranks").waitFor(); // the match has ended with it
  expect(await box(page).count()).toBe(0);
  await page.goto(`${server.url}/tutorial`);
  await page.getByRole("button", { name: "Begin" }).waitFor();
  await page.context().close();
});

test("keys alone lead through it, in another language", async () => {
  const page = await open(running, server, "/tutorial", DESK);
  await page.evaluate(() => localStorage.setItem("vinci-settings", JSON.stringify({ language: "de", pace: 0 })));
  await page.reload();
  await page.getByRole("button", { name: "Beginnen" }).press("Enter");
  await at(page, 1, german.steps, "von");
  await page.keyboard.press("Space");
  await at(page, 2, german.steps, "von");
  await page.keyboard.press("Space");
  await page.locator(".lesson.folded").waitFor();
  await page.keyboard.press("2");
  await ready(page);
  await page.keyboard.press("Enter");
  await at(page, 3, german.steps, "von");
  expect(await page.locator(".lesson.folded").count()).toBe(0); // a new step unfolds it
  await ready(page);
  await page.keyboard.press("Enter");
  await at(page, 4, german.steps, "von");
  await page.context().close();
});

test("other matches have none, nor does who watches the tutorial", async () => {
  const page = await open(running, server, "/tutorial", DESK);
  await page.getByRole("button", { name: "Begin" }).click();
  await at(page, 1);
  const other = await open(running, server, new URL(page.url()).pathname, DESK);
  await other.getByText("You are watching.").waitFor();
  expect(await box(other).count()).toBe(0);
  await Promise.all([page.context().close(), other.context().close()]);
});
