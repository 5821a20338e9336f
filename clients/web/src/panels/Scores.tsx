/** Scores of all seats with their progress to the target, the best first. */

import { t } from "../i18n/i18n";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { SeatChip } from "./SeatChip";

export function Scores({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  if (!position) return <p>{t("The game has not started yet.")}</p>;
  const ranked = [...position.seats].sort((one, other) => other.vp - one.vp || one.seat - other.seat);
  return (
    <ol class="scores">
      {ranked.map((seat) => (
        <li key={seat.seat} class={seat.seat === position.seatToAct ? "acting" : ""}>
          <SeatChip seat={seat.seat} />
          <span class="player">{names.player(seat.seat)}</span>
          <progress max={position.target} value={Math.min(seat.vp, position.target)} class={`seat${seat.seat}`} />
          <span class="vp">{t("{vp} VP", { vp: seat.vp })}</span>
        </li>
      ))}
    </ol>
  );
}
