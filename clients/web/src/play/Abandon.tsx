/** Leaving provinces before the first conquest. */

import { t } from "../i18n/i18n";
import type { ModeProps } from "./usePlay";

export function Abandon({ table: { model, names, dispatch }, decision: { legal }, second }: ModeProps) {
  return (
    <>
      <p class="ask">{t("Pawns of an abandoned province return to your hand; the province is empty then.")}</p>
      <ul class="chips" aria-label={t("Your provinces")}>
        {legal.abandon.map((province) => (
          <li key={province}>
            <button
              aria-pressed={province === model.selected}
              onClick={() => (province === model.selected ? second() : dispatch({ kind: "select", province }))}
            >
              {names.province(province)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
