/** Who sits where, and who is offline. */

import { SeatKind } from "../gen/vinci/v1/lobby_pb";
import { t } from "../i18n/i18n";
import { isAway, seats } from "../match/selectors";
import type { Table } from "../match/table";
import { SeatChip } from "./SeatChip";

export function Seats({ table: { model, names } }: { table: Table }) {
  return (
    <ul class="seats">
      {seats(model.match).map((seat) => (
        <li key={seat.seat}>
          <SeatChip seat={seat.seat} />
          <span class="player">
            {seat.taken || seat.kind === SeatKind.DUMMY ? names.player(seat.seat) : t("(open)")}
            {seat.seat === model.seat && ` ${t("(you)")}`}
          </span>
          <span class="presence">
            {seat.substituted ? t("a substitute plays") : isAway(model, seat) ? t("offline") : ""}
          </span>
        </li>
      ))}
    </ul>
  );
}
