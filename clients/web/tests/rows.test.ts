import { expect, test } from "vitest";

import { rowsIn } from "../src/panels/rows";

const heights = Array.from({ length: 1000 }, (_, row) => (row % 3 === 0 ? 40 : 20));
const total = (some: readonly number[]): number => some.reduce((sum, height) => sum + height, 0);

test("rows in view and around it are elements, and the space for all others stays", () => {
  for (const top of [0, 500, 9_000, total(heights) - 300]) {
    const { first, end, above, below } = rowsIn(1000, heights, { top, height: 300 });
    expect(above).toBe(total(heights.slice(0, first)));
    expect(below).toBe(total(heights.slice(end)));
    expect(above).toBeLessThanOrEqual(Math.max(0, top - 360));
    expect(total(heights.slice(0, end))).toBeGreaterThanOrEqual(Math.min(total(heights), top + 700));
    expect(end - first).toBeLessThan(60);
  }
});

test("a list that is not seen yet, or has no rows, has few elements", () => {
  expect(rowsIn(0, [], { top: 0, height: 0 })).toEqual({ first: 0, end: 0, above: 0, below: 0 });
  const { first, end } = rowsIn(3000, [], { top: 0, height: 0 });
  expect([first, end < 30]).toEqual([0, true]);
  expect(rowsIn(3000, [], { top: 1e9, height: 300 }).end).toBe(3000);
});
