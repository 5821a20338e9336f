/** Conquests: the provinces that can be conquered, and whether by Spies. */

import { useEffect, useRef } from "preact/hooks";

import { plural, signed, t } from "../i18n/i18n";
import type { Names } from "../match/names";
import { isBySpies, SPIES_COST, type Target, targetsOf } from "./choice";
import type { ModeProps } from "./usePlay";

export function Conquer({ table: { model, names, dispatch }, decision, second }: ModeProps) {
  const { legal, choice, choose } = decision;
  const { selected } = model;
  const targets = targetsOf(legal);
  const cost = targets.find(({ province }) => province === selected)?.cost ?? 0;
  const hasBoth = legal.conquerBySpies.includes(selected) && (choice.spies ? legal.conquer.includes(selected) : cost > SPIES_COST);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (selected) list.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
    else list.current?.scrollTo(0, 0); // the best are first
  }, [selected]);
  return (
    <>
      <ul class="chips reach" ref={list} aria-label={t("Provinces within reach")}>
        {targets.map(({ province, cost, worth, isForSpies }) => (
          <li key={province}>
            <button
              aria-pressed={province === selected}
              data-tip={chipOf({ province, cost, worth, isForSpies }, names)}
              onClick={() => (province === selected ? second() : dispatch({ kind: "select", province }))}
            >
              {names.province(province)} <b>{isBySpies(choice, province, legal) ? SPIES_COST : cost}</b>
              {worth !== 0 && <small>{t("{n} VP", { n: signed(worth) })}</small>}
              {isForSpies && <small>{t("by Spies")}</small>}
            </button>
          </li>
        ))}
      </ul>
      {hasBoth && (
        <label class="check">
          <input type="checkbox" checked={choice.spies} onChange={(event) => choose({ spies: event.currentTarget.checked })} />{" "}
          {t("by Spies, for {n}", { n: SPIES_COST })}
        </label>
      )}
    </>
  );
}

/** Say what the numbers of a province mean. */
export function chipOf(target: Target, names: Names): string {
  const { cost, worth, isForSpies } = target;
  const price = plural("Costs {n} pawn.", "Costs {n} pawns.", cost);
  return isForSpies ? price : `${price} ${t("Changes your next score by {n} VP.", { n: signed(worth) })} ${nothingOf(target, names)}`.trim();
}

/** Return why a province brings no VP; empty if it does. */
export function nothingOf({ province, worth, isForSpies }: Target, names: Names): string {
  if (worth > 0 || isForSpies) return "";
  const isMountain = worth === 0 && names.provinces.get(province)?.terrain === "mountain";
  return isMountain ? t("A mountain scores nothing.") : t("It costs you land of your declined empire.");
}
