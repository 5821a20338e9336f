import { describe, expect, test } from "vitest";

import { intervals, rounded, type Standing } from "../src/league/state";

function standing(rating: number, uncertainty: number): Standing {
  return { bot: "greedy", skill: rating - 3 * uncertainty, games: 9, rating, uncertainty };
}

describe("intervals", () => {
  test("share the range of all ratings", () => {
    expect(intervals([standing(30, 2), standing(10, 2), standing(20, 1)])).toEqual([
      { low: 62.5, middle: 81.25, high: 100 },
      { low: 0, middle: 18.75, high: 37.5 },
      { low: 40.625, middle: 50, high: 59.375 },
    ]);
  });

  test("are no fractions of nothing", () => {
    expect(intervals([])).toEqual([]);
    expect(intervals([standing(25, 0)])).toEqual([{ low: 0, middle: 0, high: 0 }]);
  });
});

test("times are rounded to what is shown of them", () => {
  expect([0.4, 59.2, 100, 86_400 + 3_000].map(rounded)).toEqual([0, 59, 120, 90_000]);
});
