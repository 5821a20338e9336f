/** The placement of pawns, province by province, and what of it is left. */

import { plural, t } from "../i18n/i18n";
import { state } from "../match/selectors";
import { add, bounds, places, toggleFort } from "./plan";
import type { ModeProps } from "./usePlay";

export function Placement({ table: { model, names, dispatch }, decision: { legal, choice, choose } }: ModeProps) {
  const { plan } = choice;
  if (!plan) return null;
  const { placed, least, most } = bounds(plan, legal);
  const forts = plan.kind === "hold" ? (legal.hold?.forts ?? 0) : 0;
  const { provinces = [], pawns: standing = [] } = state(model) ?? {};
  const held = new Map(provinces.map((code, place) => [code, standing[place]]));
  const change = (code: string, pawns: number): void => {
    choose({ plan: add(plan, legal, code, pawns) });
    if (model.selected !== code) dispatch({ kind: "select", province: code });
  };
  return (
    <>
      <p class={placed < least ? "left bad" : "left"} role="status">
        {placed < least
          ? plural("{n} pawn is left to place", "{n} pawns are left to place", least - placed)
          : placed < most
            ? plural("{n} more pawn can be placed", "{n} more pawns can be placed", most - placed)
            : t("− takes a pawn back")}
        {forts > 0 && ` · ${plural("{n} fort is left to build", "{n} forts are left to build", forts - plan.forts.size)}`}
      </p>
      <ul class="placement">
        {places(plan, legal).map((code) => {
          const pawns = plan.pawns.get(code) ?? 0;
          const province = names.province(code);
          return (
            <li key={code} class={code === model.selected ? "selected" : ""}>
              <span class="name">{province}</span>
              <span class="number">
                {forts > 0 && (
                  <button
                    aria-pressed={plan.forts.has(code)}
                    aria-label={t("A fort in {province}", { province })}
                    disabled={!plan.forts.has(code) && (pawns === 0 || plan.forts.size >= forts)}
                    onClick={() => choose({ plan: toggleFort(plan, legal, code) })}
                  >
                    {t("fort")}
                  </button>
                )}
                <button aria-label={t("One pawn less in {province}", { province })} disabled={pawns === 0} onClick={() => change(code, -1)}>
                  −
                </button>
                <output aria-label={t("Pawns in {province}", { province })}>
                  {plan.kind === "redeploy" && `${held.get(code) ?? 0} + `}
                  {pawns}
                </output>
                <button
                  aria-label={t("One pawn more in {province}", { province })}
                  disabled={placed >= most}
                  onClick={() => change(code, 1)}
                >
                  +
                </button>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
