/** The market: traits with their effects, price, markers and pawns of each civilization. */

import { t } from "../i18n/i18n";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { pawns } from "../match/wording";
import { Traits } from "./Traits";

export const ROMAN = ["I", "II", "III", "IV", "V", "VI"];

export function Market({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  if (!position) return null;
  return (
    <ol class="market">
      {position.market.map((slot, place) => (
        <li key={place}>
          <span class="slot">{ROMAN[place]}</span>
          <Traits codes={slot.traits} names={names} />
          <span class="pawns">{pawns(slot.pawns)}</span>
          <span class="price">
            {slot.price ? t("costs {n} VP", { n: slot.price }) : t("free")}
            {slot.markers > 0 && `, ${t("brings {n} VP", { n: 2 * slot.markers })}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
