/** The market: traits with their effects, price, markers and pawns of each civilization. */

import { t } from "../i18n/i18n";
import type { MarketSlot } from "../gen/vinci/v1/game_pb";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { pawns, priceOf } from "../match/wording";
import { explained } from "../tips";
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
          <span class="pawns" {...explained(t("The pawns of this civilization are all that it will ever have, unless Medicine adds some."))}>
            {pawns(slot.pawns)}
          </span>
          <span class="price" {...explained(aboutPrice(slot))}>
            {priceOf(slot)}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Explain a price. */
function aboutPrice({ price, markers }: MarketSlot): string {
  const paid = t("Whoever takes a civilization lays 2 VP on each one before it.");
  const lies = markers > 0 ? ` ${t("On this one lie {n} VP, which go to whoever takes it.", { n: 2 * markers })}` : "";
  return (price > 0 ? paid : t("Whoever takes the first civilization pays nothing.")) + lies;
}
