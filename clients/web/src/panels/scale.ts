/** Numbers of charts: scales, the numbers beside them, where lines end, and VP over rounds. */

import type { Update } from "../gen/vinci/v1/game_pb";
import { standing } from "../match/selectors";

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

/** A point of the VP curve of a seat. */
export interface CurvePoint {
  readonly round: number;
  readonly vp: number;
}

/** Return the VP of every seat over time, seat 1 first: after each turn of it, from the scores that stand, and what it began with.
 * Nothing starts the first turn of a game from a position: it has the round of the next one, or the present one, `now`. */
export function curves(past: readonly Update[], count: number, now: number): readonly (readonly CurvePoint[])[] {
  const points: CurvePoint[][] = Array.from({ length: count }, () => []);
  const kinds = standing(past).flatMap(({ events }) => events.map(({ kind }) => kind));
  const first = kinds.find((kind) => kind.case === "turnStarted");
  let round = first?.value.round ?? now;
  for (const kind of kinds) {
    if (kind.case === "turnStarted") round = kind.value.round;
    if (kind.case === "civilizationTaken") {
      const own = points[kind.value.seat - 1];
      const last = own?.pop(); // after a decline it is taken in the turn that has just scored
      if (last) own?.push({ round, vp: last.vp - kind.value.paid + kind.value.received });
    }
    if (kind.case === "scored") {
      const { seat, vp, total } = kind.value;
      const own = points[seat - 1];
      if (own?.length === 0 && total > vp) own.push({ round: round - 1, vp: total - vp });
      own?.push({ round, vp: total });
    }
  }
  return points;
}
