/** Naming an opponent for peace. */

import { t } from "../i18n/i18n";
import { SeatChip } from "../panels/SeatChip";
import type { ModeProps } from "./usePlay";

export function Peace({ table: { names }, decision: { legal, choice, choose }, second }: ModeProps) {
  return (
    <>
      <p class="ask">{t("Until your next turn neither of you conquers active provinces of the other.")}</p>
      <ul class="chips" aria-label={t("Opponents")}>
        {legal.peace.map((seat) => (
          <li key={seat}>
            <button aria-pressed={seat === choice.seat} onClick={() => (seat === choice.seat ? second() : choose({ seat }))}>
              <SeatChip seat={seat} /> {names.player(seat)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
