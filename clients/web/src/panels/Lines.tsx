/** Lines over a scale, each with its number at the end: VP over rounds, ratings over games. */

import "./lines.css";

import { ends, scale } from "./scale";

/** A line; it has the colours of a seat, and from the seventh on those again with dashes. */
export interface Line {
  readonly number: number;
  readonly points: readonly (readonly [number, number])[];
}

interface LinesProps {
  readonly label: string;
  readonly lines: readonly Line[];
  /** Numbers below the chart, and those beside it, which have a line. */
  readonly across: readonly number[];
  readonly up: readonly number[];
}

const [WIDE, HIGH] = [360, 200];
const ROOM = { left: 30, right: 24, top: 8, bottom: 20 };
const RADIUS = 7;

export function Lines({ label, lines, across, up }: LinesProps) {
  const points = lines.flatMap((line) => line.points);
  const x = scale([...across, ...points.map(([number]) => number)], ROOM.left, WIDE - ROOM.right);
  const y = scale([...up, ...points.map(([, value]) => value)], HIGH - ROOM.bottom, ROOM.top);
  const drawn = lines.flatMap(({ number, points }) => {
    const last = points.at(-1);
    return last ? [{ number, points, x: x(last[0]), y: y(last[1]) }] : [];
  });
  const heights = ends(drawn.map(({ y }) => y), 2 * RADIUS, HIGH - ROOM.bottom);
  return (
    <svg class="lines" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={label}>
      {up.map((value) => (
        <g key={value}>
          <path class="grid" d={`M${ROOM.left} ${y(value)}H${WIDE - ROOM.right}`} />
          <text x={ROOM.left - 5} y={y(value) + 4} text-anchor="end">
            {value}
          </text>
        </g>
      ))}
      {across.map((number) => (
        <text key={number} x={x(number)} y={HIGH - 5} text-anchor="middle">
          {number}
        </text>
      ))}
      {drawn.map((line, index) => {
        const height = heights[index] ?? 0;
        const data = line.points.map(([number, value], at) => `${at ? "L" : "M"}${x(number).toFixed(1)} ${y(value).toFixed(1)}`).join("");
        return (
          <g key={line.number} class={`seat${((line.number - 1) % 6) + 1}`}>
            <path class="rim" d={data} />
            <path class={line.number > 6 ? "line dashed" : "line"} d={data} />
            <path class="lead" d={`M${line.x} ${line.y}L${WIDE - RADIUS - 2} ${height}`} />
            <circle cx={WIDE - RADIUS - 1} cy={height} r={RADIUS} />
            <text class="seat" x={WIDE - RADIUS - 1} y={height + 3.5} text-anchor="middle">
              {line.number}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
