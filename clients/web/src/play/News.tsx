/** What happened since the own last turn, where the preview stands later, so that nothing moves when it goes. */

import { t } from "../i18n/i18n";
import { SeatChip } from "../panels/SeatChip";
import type { Recap } from "./useRecap";

export function News({ recap: { told, toggle } }: { recap: Recap }) {
  return (
    <section class="news" aria-labelledby="news">
      <h2 id="news">{told.length > 1 ? t("Since your last turn") : t("Your first turn")}</h2>
      <button onClick={toggle}>{t("Close")}</button>
      <ul>
        {told.map(({ seat, text }) => (
          <li key={text}>
            <SeatChip seat={seat} /> <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
