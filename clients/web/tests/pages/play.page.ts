/** Whole games and turns on the page of a match, by touch and by keyboard. */

import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";

import { complaints, DESK, open, PHONE, ready, Server, sit, stage, Terminal, through, until } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
});

/** Seat 1 has everything to decide about: peace, provinces to abandon, conquests, a decline at both ends of its turn. */
const TURN =
  "europe; rules standard target=90; round 2; turn 1 start; seat 1 vp=20 | DIP+REN reserve=8 BOH BAV SAX; " +
  "seat 2 dummy vp=12 | WEA+MIL POL=4 LIV=3; seat 3 dummy vp=14 | AST+BAR NEU=5 AQU=4";

/** Seat 1 has two survivors to place. */
const SURVIVORS =
  "europe; rules standard target=90; round 2; turn 2 redeploy=1; seat 1 vp=20 survivors=2 | FOR+CUR BOH=2 BAV=2; " +
  "seat 2 dummy vp=12 | WEA+MIL POL=4 SAX=3; seat 3 dummy vp=14 | AST+BAR NEU=5 AQU=4";

const prompt = async (page: Page): Promise<string> => await page.locator(".prompt b").innerText();

test("a phone finishes a solo game by touch", async () => {
  const id = await server.solo({ options: { settings: { target: "45" } }, seed: "phone" });
  const page = await open(running, server, `/m/${id}`, PHONE);
  await sit(page, "Ann");
  const act = page.locator(".play .act");
  const done = new Set<string>();
  const isOver = async (): Promise<boolean> => {
    await page.locator(".over, .prompt b").first().waitFor(); // the end is loaded when it comes
    return (await page.locator(".over").count()) > 0;
  };
  while (!(await isOver())) {
    const asked = await prompt(page);
    done.add(asked);
    if (asked === "Choose a civilization") await page.locator(".option:enabled").first().tap();
    if (asked === "Conquer") {
      const round = await page.locator(".turn .round").innerText();
      const decline = page.locator(".modes").getByText("Decline", { exact: true });
      if (round.startsWith("Round 3") && (await decline.count()) > 0) {
        await decline.tap();
        done.add("Decline");
      } else await page.locator(".chips button").first().tap();
    }
    await ready(page);
    expect((await act.boundingBox())?.y).toBeGreaterThan(422); // in reach of the thumb
    await through(page, async () => await act.tap());
  }
  expect([...done].sort()).toEqual(expect.arrayContaining(["Choose a civilization", "Conquer", "Decline", "End the conquests"]));
  expect((await page.locator(".outcome").allInnerTexts()).join(" ")).toMatch(/ wins? with \d+ VP after \d+ rounds\.| share the first place/);
  expect(await complaints(page)).toEqual([]);
  await page.getByRole("button", { name: "Another game with the same players" }).tap();
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  await page.locator(".option").first().waitFor();
  await page.context().close();
});

test("provinces are conquered on the board by a second tap", async () => {
  const id = await server.solo({ position: TURN });
  const page = await open(running, server, `/m/${id}`, PHONE);
  await sit(page, "Ann");
  await page.getByRole("button", { name: "Closer" }).tap();
  const target = page.locator('use[data-province="POM"]');
  await target.dispatchEvent("click");
  await ready(page);
  expect(await page.locator(".play .act").innerText()).toBe("Conquer Pomerania for 3");
  await through(page, async () => await target.dispatchEvent("click"));
  expect(await page.locator(".turn .caption").innerText()).toContain("You conquer Pomerania for 3 pawns");
  await through(page, async () => await page.getByRole("button", { name: "Undo" }).tap());
  expect(await page.locator(".turn .caption").innerText()).toContain("You take back");
  await page.context().close();
});

test("choices and placements on a phone keep clear of what is beside them", async () => {
  const position =
    TURN.replace("turn 1 start; seat 1 vp=20 | DIP+REN reserve=8 BOH BAV SAX", "turn 1 draft; seat 1 vp=20 |") +
    "; market DIP+SPE:1 MIN+REV:1 MIL+AGR*:1 SPI+AST:1 GAL+LIV GAL+HER; fills 13";
  const id = await server.solo({ position: position.replace("AST+BAR", "FOR+BAR") });
  const page = await open(running, server, `/m/${id}`, { ...PHONE, viewport: { width: 390, height: 844 } });
  await sit(page, "Ann");
  await page.locator(".option").first().waitFor();
  const gaps = await page.locator(".option").evaluateAll((options) =>
    options.map((option) => {
      const name = document.createRange();
      name.selectNodeContents(option.querySelector(".head b") as Element);
      return (option.querySelector(".pawns") as Element).getBoundingClientRect().left - name.getBoundingClientRect().right;
    }),
  );
  expect(gaps).toHaveLength(6);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(6);
  await page.context().close();
  const other = await open(running, server, `/m/${await server.solo({ position: SURVIVORS })}`, PHONE);
  await sit(other, "Ann");
  await other.locator(".placement li").first().waitFor();
  const margins = await other.locator(".placement li").evaluateAll((rows) =>
    rows.flatMap((row) =>
      [...row.querySelectorAll("button")].map((button) => button.getBoundingClientRect().top - row.getBoundingClientRect().top),
    ),
  );
  expect(Math.min(...margins)).toBeGreaterThan(2); // the width of the frame of the selected row
  await other.context().close();
});

test("two fingers enlarge the map around what is between them, and one moves it", async () => {
  const id = await server.solo({ position: TURN });
  const page = await open(running, server, `/m/${id}`, PHONE);
  await sit(page, "Ann");
  const board = page.locator(".board > svg");
  const { x, y, width, height } = (await board.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const middle = { x: x + width / 2, y: y + height / 2 };
  const seen = async (): Promise<readonly number[]> => ((await board.getAttribute("viewBox")) ?? "").split(" ").map(Number);
  const centre = ([left = 0, top = 0, wide = 0, high = 0]: readonly number[]): readonly number[] => [left + wide / 2, top + high / 2];
  const cdp = await page.context().newCDPSession(page);
  const touch = async (type: "touchStart" | "touchMove" | "touchEnd", ...points: readonly number[]): Promise<void> => {
    const touchPoints = points.map((shift, id) => ({ x: middle.x + shift, y: middle.y, id }));
    await cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  const before = await seen();
  await touch("touchStart", -30, 30);
  for (const apart of [40, 50, 60]) await touch("touchMove", -apart, apart);
  await touch("touchEnd");
  const enlarged = await seen();
  expect((before[2] ?? 0) / (enlarged[2] ?? 1)).toBeCloseTo(2, 1);
  const pixels = width / (enlarged[2] ?? 1);
  centre(enlarged).forEach((place, axis) => expect(Math.abs(place - (centre(before)[axis] ?? 0)) * pixels).toBeLessThan(12));
  await touch("touchStart", 0);
  for (const shift of [20, 40, 60]) await touch("touchMove", shift);
  await touch("touchEnd");
  const moved = await seen();
  expect(moved[2]).toBe(enlarged[2]);
  expect(((enlarged[0] ?? 0) - (moved[0] ?? 0)) * pixels).toBeCloseTo(60, 0);
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1); // the page itself is not enlarged
  await page.context().close();
});

test("a turn of every phase by keyboard", async () => {
  const id = await server.solo({ position: TURN });
  const page = await open(running, server, `/m/${id}`, DESK);
  await sit(page, "Ann");
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const enter = async (): Promise<void> => {
    await ready(page);
    expect(await complaints(page)).toEqual([]);
    await through(page, async () => await press("Enter"));
  };
  const caption = async (): Promise<string> => await page.locator(".turn .caption").innerText();

  await press("d");
  expect(await prompt(page)).toBe("Decline");
  await press("p", "2");
  await enter();
  expect(await caption()).toContain("You declare peace with Dummy (2)");
  await press("a", "n");
  await enter();
  expect(await caption()).toMatch(/You abandon \w+/);
  await press("c", "n");
  await enter();
  expect(await caption()).toMatch(/You conquer .* for \d+ pawn/);
  await press("h", "n", "q");
  expect(await page.locator(".left").innerText()).toBe("1 pawn is left to place");
  await press("n", "w");
  await enter();
  expect(await prompt(page)).toBe("Stay with this empire");
  await press("d");
  await enter();
  expect(await prompt(page)).toBe("Choose a civilization");
  await press("1");
  await enter();
  await page.context().close();
});

test("survivors are placed by keyboard", async () => {
  const id = await server.solo({ position: SURVIVORS });
  const page = await open(running, server, `/m/${id}`, DESK);
  await sit(page, "Ann");
  expect(await prompt(page)).toBe("Place your survivors");
  const rows = page.locator(".placement output");
  for (const key of ["n", "q", "q", "n", "q", "q", "w", "w"]) await page.keyboard.press(key);
  expect((await rows.allInnerTexts()).sort()).toEqual(["2 + 0", "2 + 2"]);
  await ready(page);
  expect(await complaints(page)).toEqual([]);
  await through(page, async () => await page.keyboard.press("Enter"));
  await page.context().close();
});

test("a suggestion has reasons and can be chosen", async () => {
  const id = await server.solo({ position: TURN });
  const page = await open(running, server, `/m/${id}`, DESK);
  await sit(page, "Ann");
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "Choose it" }).waitFor();
  const said = await page.locator(".suggestion").innerText();
  expect(said).toMatch(/At the end of the game you would have about .* VP/);
  await page.keyboard.press("s");
  await ready(page);
  expect(said).toContain(await page.locator(".play .act").innerText());
  expect(await page.locator(".suggestion").innerText()).toBe(said.replace(" Choose it", "")); // its plan is for the actions after it, too
  await page.context().close();
});

test("a seat is handed over to another browser and back", async () => {
  const id = await server.solo({ position: TURN });
  const one = await open(running, server, `/m/${id}`, DESK);
  await sit(one, "Ann");
  const offer = async (page: Page): Promise<string> => {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Play on another device" }).click();
    const command = await page.locator(".offer code").first().innerText();
    expect(command).toMatch(new RegExp(`^vinci join localhost:${server.address.split(":").at(-1) ?? ""} --take \\S+$`));
    return await page.locator(".offer .link a").innerText();
  };
  const link = await offer(one);
  const other = await open(running, server, link.slice(server.url.length), PHONE);
  await other.getByRole("button", { name: "Take the seat over" }).tap();
  await other.locator(".play .act").waitFor();
  await one.getByText("Seat 1 is played elsewhere now.").waitFor();
  const [hash, cookie, seat, ...kept] = await other.evaluate(
    (id) => [location.hash, document.cookie, sessionStorage.getItem(`vinci-seat-${id}`) ?? "", ...Object.entries<string>(localStorage).flat()],
    id,
  );
  expect([hash, cookie, seat.split(" ")[0]]).toEqual(["", "", "1"]);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.filter((text) => text.includes(seat.split(" ")[1] ?? ""))).toEqual([]);
  const code = (await offer(other)).split("=").at(-1) ?? "";
  await one.getByText("Take over a seat from another device").click();
  await one.getByLabel("Code of the seat").fill(code);
  await one.getByRole("button", { name: "Take the seat over" }).click();
  await one.locator(".prompt").waitFor();
  await other.getByText("You are watching.").waitFor();
  await Promise.all([one.context().close(), other.context().close()]);
});

test("a seat is handed over to a terminal and back", async () => {
  const id = await server.solo({ position: TURN });
  const page = await open(running, server, `/m/${id}`, DESK);
  await sit(page, "Ann");
  for (const name of ["More", "Play on another device"]) await page.getByRole("button", { name }).click();
  const command = await page.locator(".offer code").first().innerText();
  const terminal = new Terminal(server, ["--take", command.split(" ").at(-1) ?? ""]);
  try {
    await page.getByText("You are watching.").waitFor();
    await until(() => terminal.isAsked, () => terminal.out);
    const before = terminal.out.length;
    await terminal.type("handover", /--take \S+/);
    const code = /--take (\S+)/.exec(terminal.out.slice(before))?.[1] ?? "";
    await page.getByText("Take over a seat from another device").click();
    await page.getByLabel("Code of the seat").fill(code);
    await page.getByRole("button", { name: "Take the seat over" }).click();
    await page.locator(".prompt").waitFor();
    await page.context().close();
  } finally {
    terminal.end();
  }
});

test("a game is paused, goes on, and is left for good after a question", async () => {
  const id = await server.solo({ position: TURN });
  const page = await open(running, server, `/m/${id}`, PHONE);
  await sit(page, "Ann");
  await page.getByRole("button", { name: "More" }).tap();
  await page.getByRole("button", { name: "Pause" }).tap();
  await page.locator(".play").getByText("The game is paused.").waitFor();
  await page.getByRole("button", { name: "Go on" }).tap();
  await page.locator(".prompt").waitFor();
  await page.getByRole("button", { name: "Resign" }).tap();
  const dialog = page.getByRole("dialog");
  expect(await dialog.innerText()).toContain("You leave the game for good");
  await dialog.getByRole("button", { name: "Resign" }).tap();
  await page.locator(".play").getByText("It is the move of").or(page.locator(".outcome").first()).first().waitFor();
  await page.context().close();
});
