/** The empires of each seat: traits, provinces, pawns in hand, and VP as they stand. */

import { type Empire } from "../gen/vinci/v1/game_pb";
import { plural, t } from "../i18n/i18n";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { pawns } from "../match/wording";
import { SeatChip } from "./SeatChip";
import { Traits } from "./Traits";

export function Empires({ table }: { table: Table }) {
  const position = state(table.model);
  if (!position) return null;
  return (
    <ol class="empires-list">
      {position.order.map((number) => {
        const seat = position.seats[number - 1];
        if (!seat) return null;
        return (
          <li key={number}>
            <SeatChip seat={number} />
            <div>
              <b>{table.names.player(number)}</b>
              {seat.forfeited > 0 && <small> {t("left the game")}</small>}
              {seat.active && <EmpireLine table={table} empire={seat.active} name={t("Active empire")} />}
              {seat.declined && <EmpireLine table={table} empire={seat.declined} name={t("Declined empire")} />}
              {seat.peace.length > 0 && (
                <small>{t("at peace with {seats}", { seats: seat.peace.map((other) => table.names.seat(other)).join(", ") })}</small>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function EmpireLine({ table, empire, name }: { table: Table; empire: Empire; name: string }) {
  return (
    <p class="empire-line">
      <span class="kind">{name}</span> <Traits codes={empire.traits} names={table.names} />
      <small>
        {plural("{n} province", "{n} provinces", empire.provinces)} · {pawns(empire.pawns)}
        {empire.reserve > 0 && ` · ${t("{n} in hand", { n: empire.reserve })}`} ·{" "}
        {t("{vp} VP a turn", { vp: empire.vp })}
      </small>
    </p>
  );
}
