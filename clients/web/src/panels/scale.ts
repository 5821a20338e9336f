/** Numbers of charts: scales, the numbers beside them, and where lines end. */

/** Return a function that maps numbers so that the least of these is at `from` and the greatest at `to`. */
export function scale(numbers: readonly number[], from: number, to: number): (number: number) => number {
  const least = Math.min(...numbers);
  const range = Math.max(...numbers) - least || 1;
  return (number) => from + ((number - least) / range) * (to - from);
}

/** Return round whole numbers from `low` to `high`, about `most` of them. */
export function ticks(low: number, high: number, most: number): number[] {
  const least = Math.max(1, (high - low) / most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, number) => (first + number) * step);
}

/** Return heights near these that are `gap` apart and not below `bottom`. */
export function ends(heights: readonly number[], gap: number, bottom: number): number[] {
  const sorted = heights.map((height, index) => ({ height, index })).sort((one, other) => one.height - other.height);
  let free = 0;
  for (const end of sorted) free = (end.height = Math.max(end.height, free)) + gap;
  let limit = bottom;
  for (const end of sorted.reverse()) limit = (end.height = Math.min(end.height, limit)) - gap;
  return sorted.sort((one, other) => one.index - other.index).map(({ height }) => height);
}
