/** VP over time: a line for each seat, with the target. */

import { useMemo } from "preact/hooks";

import { t } from "../i18n/i18n";
import { curves, state } from "../match/selectors";
import type { Table } from "../match/table";

const [WIDE, HIGH] = [360, 200];
const ROOM = { left: 30, right: 22, top: 8, bottom: 20 };

export function Curve({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  const lines = useMemo(() => curves(model.past, position?.seats.length ?? 0), [model.past, position?.seats.length]);
  if (!position) return null;
  const lastRound = Math.max(1, position.round);
  const most = Math.max(position.target, ...position.seats.map(({ vp }) => vp));
  const x = (round: number): number => ROOM.left + (round / lastRound) * (WIDE - ROOM.left - ROOM.right);
  const y = (vp: number): number => HIGH - ROOM.bottom - (vp / most) * (HIGH - ROOM.top - ROOM.bottom);
  const seats = position.seats.map(({ seat, vp }) => ({ seat, vp, points: lines[seat - 1] ?? [] }));
  const told = seats.map(({ seat, vp }) => `${names.player(seat)} ${vp}`).join(", ");
  const rounds = Array.from({ length: lastRound + 1 }, (_, round) => round);
  const every = Math.ceil(rounds.length / 12);
  return (
    <svg class="curve" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={`${t("VP over time")}: ${told}`}>
      {[0, position.target].map((vp) => (
        <g key={vp}>
          <path class="grid" d={`M${ROOM.left} ${y(vp)}H${WIDE - ROOM.right}`} />
          <text x={ROOM.left - 5} y={y(vp) + 4} text-anchor="end">
            {vp}
          </text>
        </g>
      ))}
      {rounds
        .filter((round) => round % every === 0)
        .map((round) => (
          <text key={round} x={x(round)} y={HIGH - 5} text-anchor="middle">
            {round}
          </text>
        ))}
      {seats.map(({ seat, points }) => {
        const last = points.at(-1);
        if (!last) return null;
        const data = points.map(({ round, vp }, at) => `${at ? "L" : "M"}${x(round).toFixed(1)} ${y(vp).toFixed(1)}`).join("");
        return (
          <g key={seat} class={`seat${seat}`}>
            <path class="rim" d={data} />
            <path class="line" d={data} />
            <circle cx={x(last.round)} cy={y(last.vp)} r="7" />
            <text class="seat" x={x(last.round)} y={y(last.vp) + 3.5} text-anchor="middle">
              {seat}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
