/** Scores of all seats with their progress to the target and their clocks, the best first. */

import { SeatKind } from "../gen/vinci/v1/lobby_pb";
import { t } from "../i18n/i18n";
import { isOver, state } from "../match/selectors";
import type { Table } from "../match/table";
import { Clock } from "./Clock";
import { SeatChip } from "./SeatChip";

export function Scores({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  if (!position) return <p>{t("The game has not started yet.")}</p>;
  const ranked = [...position.seats].sort((one, other) => other.vp - one.vp || one.seat - other.seat);
  return (
    <ol class="scores">
      {ranked.map((seat) => {
        const sits = model.match?.seats[seat.seat - 1];
        const isAway = sits && !isOver(model) && sits.kind !== SeatKind.DUMMY && !sits.connected && !sits.substituted;
        const income = (seat.active?.vp ?? 0) + (seat.declined?.vp ?? 0);
        return (
          <li key={seat.seat} class={`seat${seat.seat}${seat.seat === position.seatToAct ? " acting" : ""}`}>
            <SeatChip seat={seat.seat} />
            <span class="player">
              {names.player(seat.seat)}
              {seat.seat === model.seat && <small> {t("(you)")}</small>}
              {isAway && <small class="away"> {t("away")}</small>}
              {sits?.substituted && <small class="away"> {t("a substitute plays")}</small>}
            </span>
            <Clock model={model} seat={seat.seat} />
            <span class="vp" title={t("{vp} VP a turn as it stands", { vp: income })}>
              <b>{seat.vp}</b> <small>+{income}</small>
            </span>
            <span class="progress" role="img" aria-label={t("{vp} of {target} VP", { vp: seat.vp, target: position.target })}>
              <span style={{ width: `${Math.min(100, (100 * seat.vp) / position.target)}%` }} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
