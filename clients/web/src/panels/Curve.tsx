/** VP over time: a line for each seat, with the target. */

import { useMemo } from "preact/hooks";

import { t } from "../i18n/i18n";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { Lines } from "./Lines";
import { curves, ticks } from "./scale";

export function Curve({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  const lines = useMemo(() => curves(model.past, position?.seats.length ?? 0, position?.round ?? 0), [model.past, position?.seats.length, position?.round]);
  if (!position) return null;
  const drawn = position.seats.map(({ seat, vp }, index) => {
    const points = lines[index]?.map(({ round, vp }) => [round, vp] as const) ?? [];
    return { number: seat, points: points.length > 0 ? points : [[position.round, vp] as const] };
  });
  const first = Math.min(position.round - 1, ...drawn.flatMap(({ points }) => points.map(([round]) => round)));
  const told = position.seats.map(({ seat, vp }) => `${names.player(seat)} ${vp}`).join(", ");
  return (
    <>
      <p>{t("VP at the end of each turn; the upper line is the target, {target} VP.", { target: position.target })}</p>
      <Lines
        label={`${t("{word}: ", { word: t("VP over time") })}${told}`}
        lines={drawn}
        across={ticks(Math.max(0, first), Math.max(1, position.round), 12)}
        up={[0, position.target]}
      />
    </>
  );
}
