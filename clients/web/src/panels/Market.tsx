/** The market: traits with their effects, price, markers and pawns of each civilization. */

import { t } from "../i18n/i18n";
import type { Names } from "../match/names";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { pawns, priceOf } from "../match/wording";
import { pure } from "../pure";
import { explained } from "../tips";
import { Traits } from "./Traits";

export const ROMAN = ["I", "II", "III", "IV", "V", "VI"];

export function Market({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  if (!position) return null;
  return (
    <ol class="market">
      {position.market.map(({ traits, price, markers, pawns }, place) => (
        <Slot key={place} place={place} names={names} traits={traits.join(" ")} price={price} markers={markers} count={pawns} />
      ))}
    </ol>
  );
}

interface SlotProps {
  readonly place: number;
  readonly names: Names;
  readonly traits: string;
  readonly price: number;
  readonly markers: number;
  readonly count: number;
}

const Slot = pure(function Slot({ place, names, traits, price, markers, count }: SlotProps) {
  return (
    <li>
      <span class="slot">{ROMAN[place]}</span>
      <Traits codes={traits.split(" ")} names={names} />
      <span class="pawns" {...explained(t("The pawns of this civilization are all that it will ever have, unless Medicine adds some."))}>
        {pawns(count)}
      </span>
      <span class="price" {...explained(aboutPrice(price, markers))}>
        {priceOf({ price, markers })}
      </span>
    </li>
  );
});

/** Explain a price. */
function aboutPrice(price: number, markers: number): string {
  const paid = t("Whoever takes a civilization lays 2 VP on each one before it.");
  const lies = markers > 0 ? ` ${t("On this one lie {n} VP, which go to whoever takes it.", { n: 2 * markers })}` : "";
  return (price > 0 ? paid : t("Whoever takes the first civilization pays nothing.")) + lies;
}
