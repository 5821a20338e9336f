/** What happened since the own last turn, above the decision. */

import { t } from "../i18n/i18n";
import { SeatChip } from "../panels/SeatChip";
import type { Recap } from "./useRecap";

export function News({ recap: { isShown, told, toggle } }: { recap: Recap }) {
  if (!isShown) return null;
  return (
    <section class="news" aria-labelledby="news">
      <h2 id="news">{told.length > 1 ? t("Since your last turn") : t("Your first turn")}</h2>
      <button onClick={toggle}>{t("Close")}</button>
      <ul tabIndex={0}>
        {told.map(({ seat, text }) => (
          <li key={text}>
            <SeatChip seat={seat} /> <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
