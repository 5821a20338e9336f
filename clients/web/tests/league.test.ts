import { describe, expect, test } from "vitest";

import { intervals } from "../src/league/Bar";
import { intervalIn, shareOf, toldRating } from "../src/league/standings";
import { columns, intervalOf, place, placed, points, rounded, type Standing, wayOf } from "../src/league/state";
import { ends, scale, ticks } from "../src/panels/scale";

function standing(rating: number, uncertainty: number): Standing {
  return { bot: "greedy", skill: rating - 3 * uncertainty, games: 9, rating, uncertainty };
}

test("evidence is as far as its logarithm", () => {
  expect([1, Math.sqrt(20), 20, 40, 0.3].map((reached) => Math.round(100 * wayOf(reached, 20)))).toEqual([0, 50, 100, 100, 0]);
});

describe("intervals", () => {
  test("share the range of all ratings", () => {
    expect(intervals([standing(30, 2), standing(10, 2), standing(20, 1)].map(intervalOf))).toEqual([
      { low: 62.5, middle: 81.25, high: 100 },
      { low: 0, middle: 18.75, high: 37.5 },
      { low: 40.625, middle: 50, high: 59.375 },
    ]);
  });

  test("are no fractions of nothing", () => {
    expect(intervals([])).toEqual([]);
    expect(intervals([intervalOf(standing(25, 0))])).toEqual([{ low: 0, middle: 0, high: 0 }]);
  });

  test("are cut off beyond those that set the scale", () => {
    const [wide] = intervals([{ low: -50, middle: 5, high: 10 }], [{ low: 0, middle: 5, high: 20 }]);
    expect(wide).toEqual({ low: 0, middle: 25, high: 50 });
  });
});

test("times are rounded to what is shown of them", () => {
  expect([0.4, 59.2, 100, 86_400 + 3_000].map(rounded)).toEqual([0, 59, 120, 90_000]);
});

describe("ratings over games", () => {
  test("begin with the first game of a bot", () => {
    expect(points([10, 20, 30], [null, 25.5, 24])).toEqual([
      [20, 25.5],
      [30, 24],
    ]);
  });

  test("have the numbers of the standings, also where bots without games stand between them", () => {
    const standings = ["greedy", "new", "random"].map((bot, index) => ({ ...standing(30 - index, 2), bot, games: bot === "new" ? 0 : 9 }));
    expect(["greedy", "random"].map((bot) => place(standings, bot))).toEqual([1, 3]);
  });

  test("stand in a table of few columns, the last one at the end", () => {
    expect(columns([])).toEqual([]);
    expect(columns([7, 8])).toEqual([0, 1]);
    expect(columns(Array.from({ length: 99 }))).toEqual([24, 49, 73, 98]);
  });
});

test("seats of a game stand by their places, those of the same place by their seats", () => {
  expect(placed({ game: "3-1", bots: ["a", "b", "c", "d"], ranks: [3, 1, 4, 1], vp: [20, 40, 10, 40], forfeits: [2] })).toEqual([1, 3, 0, 2]);
});

describe("charts", () => {
  test("have round numbers", () => {
    expect(ticks(0, 13, 12)).toEqual([0, 2, 4, 6, 8, 10, 12]);
    expect(ticks(2001, 23_456, 6)).toEqual([5000, 10_000, 15_000, 20_000]);
    expect(ticks(24, 25, 5)).toEqual([24, 25]);
    expect(ticks(3, 3, 6)).toEqual([3]);
    expect(ticks(-7, 8, 5)).toEqual([-5, 0, 5]);
  });

  test("map the least number to one end and the greatest to the other", () => {
    expect([10, 15, 20].map(scale([20, 10], 100, 0))).toEqual([100, 50, 0]);
    expect(scale([5], 30, 90)(5)).toBe(30);
  });

  test("keep the numbers of lines apart, near their ends and above the bottom", () => {
    expect(ends([50, 10, 52, 100], 14, 180)).toEqual([50, 10, 64, 100]);
    expect(ends([178, 179, 40], 14, 180)).toEqual([166, 180, 40]);
    const many = ends(Array.from({ length: 12 }, () => 90), 14, 180);
    expect(Math.min(...many)).toBeGreaterThanOrEqual(8);
    expect(Math.max(...many)).toBeLessThanOrEqual(180);
  });
});

describe("ratings of the report", () => {
  test("have an interval, or are a bound", () => {
    expect(toldRating({ value: 61.6, low: -296.1, high: 419.3 })).toEqual(["+62", "−296 … +419"]);
    expect(toldRating({ value: 0.2, low: 0.2, high: 0.2 })).toEqual(["0", ""]);
    expect(toldRating({ value: 90, low: 90, high: 90, least: 20.4 })).toEqual(["> +20", ""]);
    expect(toldRating({ value: -90, low: -90, high: -90, most: -20.4 })).toEqual(["< −20", ""]);
    expect(intervalIn({ value: 90, low: 90, high: 90, least: 20 })).toEqual({ low: 20, middle: 90, high: 90 });
  });

  test("tell of each two bots how often one is ahead", () => {
    const ahead = { value: 0.583, low: 0.1, high: 0.9 };
    const standings = { bots: [], pairs: [{ bot: "a", other: "b", ahead }] };
    expect([shareOf(standings, "a", "b"), shareOf(standings, "b", "a"), shareOf(standings, "a", "a")]).toEqual(["58", "42", "·"]);
  });
});
