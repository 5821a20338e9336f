/** Arrows of conquests. */

import type { Attack } from "../match/attacks";
import { arrow, type Size } from "./geometry";

export function Arrows({
  attacks,
  points,
  map,
}: {
  attacks: readonly Attack[];
  points: ReadonlyMap<string, readonly [number, number]>;
  map: Size;
}) {
  const size = map.width / 75;
  return (
    <g class="arrows">
      {attacks.map(({ seat, origin, target }, place) => {
        const end = points.get(target);
        if (!end) return null;
        const { shaft, head } = arrow(points.get(origin) ?? edge(end, map), end, size);
        return (
          <g key={place} class={`seat${seat}`}>
            <path class="rim" d={shaft} stroke-width={size * 0.75} />
            <path class="rim" d={head} stroke-width={size * 0.3} />
            <path class="shaft" d={shaft} stroke-width={size * 0.45} />
            <path class="head" d={head} />
          </g>
        );
      })}
    </g>
  );
}

/** Return a point towards the nearest edge of the map, for a conquest from the edge of the board or over a sea. */
function edge([x, y]: readonly [number, number], { width, height }: Size): readonly [number, number] {
  const far = width / 9;
  const sides: readonly (readonly [number, readonly [number, number]])[] = [
    [x, [x - far, y]],
    [width - x, [x + far, y]],
    [y, [x, y - far]],
    [height - y, [x, y + far]],
  ];
  return sides.reduce((one, other) => (other[0] < one[0] ? other : one))[1];
}
