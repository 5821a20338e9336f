/** Choosing a civilization from the market. */

import { useEffect, useRef } from "preact/hooks";

import { t } from "../i18n/i18n";
import { state } from "../match/selectors";
import { pawns, priceOf } from "../match/wording";
import { ROMAN } from "../panels/Market";
import { bringIn } from "./scrolling";
import type { ModeProps } from "./usePlay";
import { prospectOf, worthOf } from "./wording";

export function Draft({ table: { model, names }, decision, second }: ModeProps) {
  const { legal, choice, choose, prospects } = decision;
  const market = state(model)?.market ?? [];
  const seat = state(model)?.seats[model.seat - 1];
  const chosen = useRef<HTMLLIElement>(null);
  useEffect(() => bringIn(chosen.current), [choice.slot, prospects]);
  return (
    <ol class="options draft">
      {market.map((slot, place) => {
        const number = place + 1;
        const prospect = prospects.find((one) => one.slot === number);
        const isLegal = legal.take.includes(number);
        const isChosen = choice.slot === number;
        return (
          <li key={place} ref={isChosen ? chosen : null}>
            <button
              class="option"
              aria-pressed={isChosen}
              disabled={!isLegal}
              data-tip={slot.traits.map((code) => names.traitExplained(code)).join(" ")}
              onClick={() => (isChosen ? second() : choose({ slot: number }))}
            >
              <span class="slot">{ROMAN[place]}</span>
              <span class="head">
                <b>{names.civilization(slot.traits).split(/(?=\+)/).flatMap((part, at) => (at ? [<wbr key={at} />, part] : [part]))}</b>
                <span class="pawns">{pawns(slot.pawns)}</span>
              </span>
              <span class="what">
                {slot.traits.map((code, at) => isChosen && <small key={at}>{names.traitExplained(code)}</small>)}
                <small class="price">
                  {priceOf(slot)}
                  {prospect && !isChosen && ` · ${worthOf(prospect)}`}
                </small>
                {prospect && isChosen && <small>{prospectOf(prospect, names)}</small>}
                {!isLegal && <small>{t("That costs {needed} VP; you have {available}.", { needed: slot.price, available: seat?.vp ?? 0 })}</small>}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
