/** VP over time: a line for each seat, with the target. */

import { useMemo } from "preact/hooks";

import { t } from "../i18n/i18n";
import { curves, state } from "../match/selectors";
import type { Table } from "../match/table";
import { Lines } from "./Lines";
import { ticks } from "./scale";

export function Curve({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  const lines = useMemo(() => curves(model.past, position?.seats.length ?? 0), [model.past, position?.seats.length]);
  if (!position) return null;
  const told = position.seats.map(({ seat, vp }) => `${names.player(seat)} ${vp}`).join(", ");
  return (
    <>
      <p>{t("VP at the end of each turn; the upper line is the target, {target} VP.", { target: position.target })}</p>
      <Lines
        label={`${t("{word}: ", { word: t("VP over time") })}${told}`}
        lines={position.seats.map(({ seat, vp }, index) => {
          const points = lines[index]?.map(({ round, vp }) => [round, vp] as const) ?? [];
          return { number: seat, points: points.length > 0 ? points : [[position.round, vp]] };
        })}
        across={ticks(0, Math.max(1, position.round), 12)}
        up={[0, position.target]}
      />
    </>
  );
}
