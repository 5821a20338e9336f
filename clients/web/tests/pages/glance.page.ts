/** What is seen at a glance: turn, scores, decision and its buttons in every phase on common screens, and a board that can be read. */

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";

import { CONQUER, STATES } from "./states";
import { complaints, DESK, open, PHONE, ready, Server, sit, stage } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
});

const LAPTOPS = [
  { width: 1280, height: 800 },
  { width: 1366, height: 657 },
  { width: 1366, height: 768 },
];
const PHONES = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
];
const PHASES = ["draft", "conquer", "peace", "abandon", "hold", "decline", "stay", "redeploy", "suggestion", "menu"];

const reached = async (name: string, screen: BrowserContextOptions): Promise<Page> => (await STATES[name]?.({ server, running, screen })) as Page;

/** Return the texts of those elements that are partly outside the window, or covered by others. */
async function hidden(page: Page, selectors: readonly string[]): Promise<readonly string[]> {
  return await page.evaluate((selectors) => {
    const isSeen = (element: Element): boolean => {
      const { left, right, top, bottom, width } = element.getBoundingClientRect();
      if (width === 0 || left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) return false;
      const at = [top + 2, bottom - 2].map((y) => document.elementFromPoint((left + right) / 2, y));
      return at.every((found) => found !== null && (element.contains(found) || found.contains(element)));
    };
    return selectors.flatMap((selector) => {
      const found = [...document.querySelectorAll(selector)];
      const texts = found.filter((element) => !isSeen(element)).map((element) => `${selector}: ${element.textContent}`);
      return found.length > 0 ? texts : [`${selector} is missing`];
    });
  }, selectors);
}

/** Phases with numbers beside the garrisons. */
const COSTS: ReadonlySet<string> = new Set(["conquer", "redeploy", "suggestion", "menu"]);
const SCORES = [".turn .whose", ".scores li", ".scores .vp b"];
const DECISION = [".decision .play", ".prompt", ".acts .act", ".acts .others button"];

interface Boxes {
  readonly tokens: readonly (readonly number[])[];
  readonly costs: readonly (readonly number[])[];
  readonly names: readonly (readonly number[])[];
  readonly frame: readonly number[];
}

/** Return left, top, right and bottom of what is written on the board. */
async function written(page: Page, name = ".small .name"): Promise<Boxes> {
  return await page.evaluate((name) => {
    const boxes = (selector: string): number[][] =>
      [...document.querySelectorAll(`.board > svg ${selector}`)]
        .map((element) => element.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ left, top, right, bottom }) => [left, top, right, bottom]);
    const [frame = []] = boxes(".map-frame");
    return { tokens: boxes(".token .paper"), costs: boxes(".cost circle"), names: boxes(name), frame };
  }, name);
}

/** Return how many pixels two boxes share, at their narrowest. */
function shared([a = 0, b = 0, c = 0, d = 0]: readonly number[], [e = 0, f = 0, g = 0, h = 0]: readonly number[]): number {
  return Math.max(0, Math.min(Math.min(c, g) - Math.max(a, e), Math.min(d, h) - Math.max(b, f)));
}

const isWithin = ([a = 0, b = 0, c = 0, d = 0]: readonly number[], [e = 0, f = 0, g = 0, h = 0]: readonly number[]): boolean =>
  a >= e - 2 && b >= f - 2 && c <= g + 2 && d <= h + 2;

/** Check that costs cover neither pawns nor each other, and that all of them lie on the map. */
async function checkCosts(page: Page): Promise<void> {
  const { tokens, costs, frame } = await written(page);
  for (const box of [...tokens, ...costs]) expect(isWithin(box, frame), `${String(box)} in ${String(frame)}`).toBe(true);
  for (const [at, cost] of costs.entries()) {
    for (const other of [...tokens, ...costs.slice(at + 1)]) expect(shared(cost, other), `${String(cost)} and ${String(other)}`).toBeLessThan(1.5);
  }
}

test.each([...PHASES, "six"])("turn, scores, decision and all buttons are in view on a laptop, and costs can be read: %s", async (name) => {
  const page = await reached(name, DESK);
  for (const size of LAPTOPS) {
    await page.setViewportSize(size);
    await expect.poll(async () => await hidden(page, [...SCORES, ...DECISION])).toEqual([]);
    await expect.poll(async () => (await written(page)).costs.length > 0).toBe(COSTS.has(name));
    await checkCosts(page);
  }
  await page.context().close();
});

test("a pane behind a tab is read beside the own decision on a laptop", async () => {
  const page = await reached("conquer", DESK);
  for (const size of [...LAPTOPS, { width: 1440, height: 900 }]) {
    await page.setViewportSize(size);
    await page.locator("#tab-curve").click();
    await expect.poll(async () => await hidden(page, [...SCORES, ...DECISION, "#pane-curve p", "#pane-curve .lines"])).toEqual([]);
    expect((await page.locator("#pane-curve .lines").boundingBox())?.height).toBeGreaterThan(100);
    for (const name of ["market", "empires", "seats", "chat"]) {
      await page.locator(`#tab-${name}`).click();
      await expect.poll(async () => (await page.locator(`#pane-${name}`).boundingBox())?.height).toBeGreaterThan(190);
      await expect.poll(async () => await hidden(page, [...SCORES, ...DECISION])).toEqual([]);
    }
  }
  await page.context().close();
});

test("the board shows pawns as they are placed", async () => {
  const page = await reached("hold", { ...DESK, viewport: LAPTOPS[0] ?? null });
  const own = page.locator(".board .labels .token.seat1:not(.declined) .pawns");
  const placed = page.locator(".placement output");
  const [before = 0] = (await placed.allInnerTexts()).map(Number);
  expect(await own.allTextContents()).toEqual([String(before)]); // one part is kept
  await page.getByRole("button", { name: /^One pawn less/ }).first().click();
  await expect.poll(async () => await own.allTextContents()).toEqual([String(before - 1)]);
  await page.context().close();
});

test.each([...PHASES, "six"])("turn and scores stay above the sheet of a phone, wherever the page is scrolled: %s", async (name) => {
  const page = await reached(name, PHONE);
  for (const size of PHONES) {
    await page.setViewportSize(size);
    for (const place of [0, 10_000]) {
      await page.locator("main").evaluate((main, place) => main.scrollTo(0, place), place);
      await expect.poll(async () => await hidden(page, [...SCORES, ...DECISION])).toEqual([]);
    }
    await page.locator("main").evaluate((main) => main.scrollTo(0, 0));
    await checkCosts(page);
  }
  await page.context().close();
});

test.each(["conquer", "suggestion", "decline", "hold"])("what is chosen is in view beside its result: %s", async (name) => {
  const chosen = ["conquer", "suggestion"].includes(name) ? ['.chips [aria-pressed="true"]'] : [".modes button"];
  for (const screen of [...LAPTOPS, { width: 1920, height: 1080 }, PHONES[0]]) {
    const page = await reached(name, { ...(screen === PHONES[0] ? PHONE : DESK), viewport: screen ?? null });
    await expect.poll(async () => await hidden(page, name === "hold" ? [...chosen, ".parts label", ".placement li"] : chosen)).toEqual([]);
    await page.context().close();
  }
});

test("pawns on the board of a phone cover no others", async () => {
  const page = await reached("abandon", { ...PHONE, viewport: PHONES[0] ?? null });
  const { tokens } = await written(page);
  expect(tokens.length).toBeGreaterThan(30);
  for (const [at, token] of tokens.entries()) for (const other of tokens.slice(at + 1)) expect(shared(token, other)).toBeLessThan(1.5);
  await page.context().close();
});

test("names of provinces are shown when the board is fitted: all on a laptop, on a phone where there is room", async () => {
  const desk = await reached("draft", DESK);
  for (const size of LAPTOPS) {
    await desk.setViewportSize(size);
    await expect.poll(async () => (await written(desk, ".label .name")).names.length).toBeGreaterThanOrEqual(45);
    const { names, frame } = await written(desk, ".label .name");
    for (const name of names) expect(isWithin(name, frame)).toBe(true);
  }
  await desk.context().close();
  const page = await reached("draft", { ...PHONE, viewport: PHONES[0] ?? null });
  await expect.poll(async () => (await written(page)).names.length).toBeGreaterThan(25);
  const { tokens, names, frame } = await written(page);
  for (const [at, name] of names.entries()) {
    expect(isWithin(name, frame)).toBe(true);
    for (const other of [...tokens, ...names.slice(at + 1)]) expect(shared(name, other)).toBeLessThan(2.5); // the room above and below letters
  }
  await page.context().close();
});

/** Seat 1 has seven provinces, and a mountain of five pawns that Spies would take for two. */
const WIDE =
  "europe; rules standard target=120; round 3; order 1 2 3; turn 1 conquer; seat 1 vp=12 | SPI+AGR reserve=5 AQU=1 NEU=1 FLA=1 RHI=1 SAX=2 BAV=2 PRO=1; " +
  "seat 2 dummy vp=12 | MIL+POR POL=4 LIV=3 PYR=1; seat 3 dummy vp=14 | AST+BAR WES=5 MER=4 DAC=2 PAN=2; neutral POM NAP MUS";

async function wide(screen: BrowserContextOptions): Promise<Page> {
  const page = await open(running, server, `/m/${await server.solo({ position: WIDE })}`, screen);
  await sit(page, "Ann");
  await page.locator(".chips button").nth(1).waitFor();
  return page;
}

test("a province that is selected moves no other one of the list, which scrolls in one frame", async () => {
  const page = await wide({ ...DESK, viewport: { width: 1366, height: 768 } });
  const [first, last] = [page.locator(".chips button").first(), page.locator(".chips button").last()];
  const before = await last.boundingBox();
  await first.click();
  await ready(page);
  expect(await last.boundingBox()).toEqual(before);
  const list = await page.locator(".chips").evaluate((chips) => [chips.scrollHeight, chips.clientHeight]);
  expect(list[0]).toBe(list[1]);
  await page.context().close();
});

test("on a phone a second tap at the same place conquers, and a tab is read when it is tapped in the own turn", async () => {
  for (const name of ["conquer", "hint"]) {
    const page = await reached(name, { ...PHONE, viewport: PHONES[0] ?? null }); // in the middle of a turn, and at its beginning
    const chip = page.locator(".chips button").nth(1);
    const before = await chip.boundingBox();
    await chip.tap();
    await ready(page);
    expect((await chip.boundingBox())?.y).toBe(before?.y);
    expect(await page.locator(".turn .round").innerText()).toBe("Round 8 · to 120 VP");
    for (const pane of ["market", "empires"]) {
      await page.locator(`#tab-${pane}`).tap();
      await expect.poll(async () => await hidden(page, [`#tab-${pane}`, `#pane-${pane} li:first-child`, ".acts .act"])).toEqual([]);
    }
    await page.locator(".fold").tap();
    await chip.waitFor();
    await page.context().close();
  }
});

test("Spies are offered in full where they save pawns, and only there", async () => {
  const page = await wide({ ...PHONE, viewport: PHONES[0] ?? null });
  const offer = page.locator(".body > .check");
  await page.locator(".chips button").filter({ hasText: "Pyrenees" }).tap();
  await ready(page);
  expect(await hidden(page, [".body > .check"])).toEqual([]);
  await page.locator('.chips [aria-pressed="true"]').tap({ trial: true });
  await offer.tap();
  await page.getByRole("button", { name: /^Conquer the Pyrenees.*by Spies for 2/ }).waitFor();
  await offer.tap();
  await page.locator(".chips button").filter({ has: page.getByText("2", { exact: true }) }).first().tap();
  await ready(page);
  expect(await offer.count()).toBe(0);
  await page.context().close();
});

test("all provinces to be placed are in view, and arrows lie below their numbers", async () => {
  const page = await wide({ ...DESK, viewport: { width: 1366, height: 768 } });
  await page.locator('.modes [data-mode="hold"]').click();
  await ready(page);
  expect(await page.locator(".placement li").count()).toBe(7);
  expect(await hidden(page, [".placement li"])).toEqual([]);
  const order = await page.locator(".board > svg > g").evaluateAll((layers) => layers.map((layer) => layer.getAttribute("class")));
  expect(order.indexOf("arrows")).toBeLessThan(order.indexOf("labels"));
  expect(order.indexOf("arrows")).toBeGreaterThan(order.indexOf("provinces"));
  await page.context().close();
});

test("the legend tells what terrains cost and earn, and fits on the board", async () => {
  for (const screen of [{ ...DESK, viewport: LAPTOPS[1] ?? null }, { ...PHONE, viewport: PHONES[0] ?? null }]) {
    const page = await reached("conquer", screen);
    expect(await hidden(page, [".legend summary"])).toEqual([]); // it is not below the sheet
    await page.locator(".legend summary").click();
    const entries = page.locator(".legend li");
    await entries.filter({ hasText: "Farmland: 2 pawns, 1 VP" }).waitFor();
    await entries.filter({ hasText: "Mountain: 3 pawns, 0 VP" }).waitFor();
    const [board, legend] = await Promise.all([".board", ".legend"].map(async (part) => await page.locator(part).boundingBox()));
    expect(legend?.y).toBeGreaterThanOrEqual(board?.y ?? Infinity);
    await page.context().close();
  }
});

test("signs and numbers explain themselves: to the mouse, to the keyboard and to a finger", async () => {
  const page = await reached("conquer", { ...DESK, viewport: LAPTOPS[0] ?? null });
  const tip = page.getByRole("tooltip");
  await page.locator(".scores .mine .vp").hover();
  await expect.poll(async () => await tip.innerText()).toBe(
    "Ann has 63 VP. With the provinces held now, the next score adds 7. When somebody has 120, the round is played to its end, and most VP win.",
  );
  const { x = 0, y = 0, width = 0, height = 0 } = (await tip.boundingBox()) ?? {};
  expect(x >= 0 && y >= 0 && x + width <= 1280 && y + height <= 800).toBe(true);
  const below = ([left, top]: [number, number]): string | undefined => document.elementFromPoint(left, top)?.id;
  expect(await page.evaluate(below, [x + width / 2, y + height / 2] as [number, number])).not.toBe("tip"); // it can be pressed
  expect(await complaints(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(async () => await tip.isVisible()).toBe(false);
  await page.locator(".chips button").nth(1).hover();
  await expect.poll(async () => await tip.innerText()).toBe("Costs 3 pawns. Changes your next score by +1 VP.");
  await page.locator('use[data-province="SAX"]').hover({ force: true });
  await expect.poll(async () => await tip.innerText()).toMatch(/^Saxony, .*neutral pawns.*costs 3$/);
  await page.locator(".scores .seat2 .vp").focus();
  await page.keyboard.press("Shift+Tab"); // by keyboard to what is before it: the name of a dummy
  const told = page.locator(":focus");
  await expect.poll(async () => await tip.innerText()).toContain((await told.getAttribute("data-tip")) ?? "?");
  expect(await told.getAttribute("aria-describedby")).toBe(await tip.getAttribute("id"));
  await page.keyboard.press("Tab");
  expect(await page.locator("[aria-describedby=tip]").count()).toBe(1);
  await page.context().close();
  const phone = await reached("conquer", { ...PHONE, viewport: PHONES[0] ?? null });
  const touched = phone.getByRole("tooltip");
  await phone.locator(".scores .seat4 .vp").tap();
  await expect.poll(async () => await touched.innerText()).toContain("the next score adds 11.");
  await phone.locator(".prompt span").tap();
  await expect.poll(async () => await touched.innerText()).toContain("With pawns in hand you conquer.");
  await phone.locator(".prompt b").tap();
  await expect.poll(async () => await touched.isVisible()).toBe(false);
  await phone.locator(".scores .seat4 .vp").tap();
  await phone.locator('[data-province="SAX"]').tap();
  await phone.locator('.chips [aria-pressed="true"]').getByText("Saxony").waitFor(); // it would repeat this, and cover neighbours
  expect(await touched.isVisible()).toBe(false);
  await phone.locator('[data-province="BOH"]').tap();
  await expect.poll(async () => await touched.innerText()).toMatch(/^Bohemia, /);
  await phone.context().close();
});

/** Nearly all provinces can be the first one of seat 1, which has declined. */
const ENTRY = CONQUER.replace("DIP+REN reserve=5 LAP=4 BOH=2", "SPI+AST reserve=12");

async function at(position: string, screen: BrowserContextOptions): Promise<Page> {
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { position, startWhenFull: true });
  const page = await open(running, server, `/m/${match.matchId}`, screen);
  await sit(page, "Ann");
  return page;
}

test.each([
  ["laptop", DESK, ".label .name", 45],
  ["phone", PHONE, ".small .name", 25],
])("many costs leave names legible: %s", async (_, screen, selector, least) => {
  const page = await at(ENTRY, { ...screen, viewport: (screen === PHONE ? PHONES[0] : LAPTOPS[2]) ?? null });
  await expect.poll(async () => (await written(page, selector)).costs.length).toBeGreaterThan(10);
  const { costs, names } = await written(page, selector);
  expect(names.length).toBeGreaterThanOrEqual(least);
  for (const name of names) for (const cost of costs) expect(shared(name, cost), `${String(name)} and ${String(cost)}`).toBeLessThan(5); // the room above and below letters
  await checkCosts(page);
  if (screen === PHONE) {
    const shown = costs.length;
    const chip = page.locator(".chips button").filter({ hasText: "Lombardy" });
    await chip.tap();
    await page.locator(".cost.chosen").waitFor(); // that of what is selected is always there
    for (let times = 0; times < 4; times++) await page.getByRole("button", { name: "Closer" }).tap();
    await expect.poll(async () => await page.locator(".cost").count()).toBeGreaterThan(shown);
  }
  await page.context().close();
});

/** Seat 1 has seven provinces and two survivors. */
const SCATTERED = CONQUER.replace("turn 1 conquer", "turn 3 redeploy=1").replace(
  "vp=63 | DIP+REN reserve=5 LAP=4 BOH=2 |",
  "vp=63 survivors=2 | DIP+SPE LAP=1 BOH=1 NOR=1 URA=1 SCO=1 CAR=1 |",
);

test("buttons of a placement stand in a row, and a list does not move while pawns are left", async () => {
  for (const viewport of [...LAPTOPS, ...PHONES]) {
    const page = await at(SCATTERED, { ...(viewport.width < 600 ? PHONE : DESK), viewport });
    const rows = page.locator(".placement li");
    const tops = async (): Promise<readonly number[]> => await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
    expect(await rows.count()).toBeGreaterThan(5);
    const uneven = await rows.evaluateAll((all) => all.filter((row) => new Set([...row.querySelectorAll("button")].map(({ offsetTop }) => offsetTop)).size > 1).length);
    expect(uneven).toBe(0);
    expect(await page.locator(".left").innerText()).toBe("− takes a pawn back");
    const before = await tops();
    await page.locator(".placement button:enabled").first().click();
    await page.getByText("1 pawn is left to place").waitFor();
    expect(await tops()).toEqual(before);
    await page.context().close();
  }
});

test("an enlarged board moves to where something is to be done, above the sheet of a phone", async () => {
  const page = await at(CONQUER, { ...PHONE, viewport: PHONES[0] ?? null });
  for (let times = 0; times < 4; times++) await page.getByRole("button", { name: "Closer" }).tap();
  const own = page.locator('.board [data-province="BOH"], .board [data-province="LAP"]');
  const seen = async (): Promise<number> =>
    await own.evaluateAll((lands) => {
      const [stage, sheet] = [".stage", ".play"].map((selector) => document.querySelector(selector)?.getBoundingClientRect());
      const end = Math.min(stage?.bottom ?? 0, sheet?.top ?? 0);
      return lands.map((land) => land.getBoundingClientRect()).filter(({ left, right, top, bottom }) => right > 0 && left < innerWidth && bottom > (stage?.top ?? 0) && top < end).length;
    });
  const board = page.locator(".board > svg");
  await board.evaluate((svg) => {
    const at = (type: string, x: number, y: number): boolean => svg.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: y, bubbles: true }));
    svg.setPointerCapture = () => undefined; // of a pointer that is none
    at("pointerdown", 300, 350);
    for (let times = 1; times <= 10; times++) at("pointermove", 300 - 300 * times, 350 - 200 * times);
    at("pointerup", 0, 0);
  });
  expect(await seen()).toBe(0);
  await page.locator('.modes [data-mode="hold"]').tap();
  await expect.poll(seen).toBeGreaterThan(0);
  await page.context().close();
});

test("the menu of settings closes by Escape and by a click elsewhere", async () => {
  const page = await at(CONQUER, DESK);
  const choice = page.getByLabel("Colours");
  for (const close of [async () => await page.keyboard.press("Escape"), async () => await page.locator(".top h1").click()]) {
    await page.getByText("Settings").click();
    await choice.selectOption("dark");
    expect(await choice.isVisible()).toBe(true);
    await close();
    expect(await choice.isVisible()).toBe(false);
  }
  await page.context().close();
});
