/** Putting the active empire into decline. */

import { t } from "../i18n/i18n";
import { state } from "../match/selectors";
import type { ModeProps } from "./usePlay";

export function Decline({ table: { model }, decision: { legal } }: ModeProps) {
  const own = state(model)?.seats[model.seat - 1];
  if (own?.mustDecline) return <p class="ask">{t("Your empire lost its last province and must decline.")}</p>;
  if (legal.stay) return <p class="ask">{t("Your turn is scored: put your empire into decline now, or stay with it.")}</p>;
  return (
    <p class="ask">
      {t("A decline takes your whole turn: one pawn stays in each province, which goes on scoring, and the civilization that you choose enters next turn.")}
    </p>
  );
}
