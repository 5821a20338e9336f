/** The end of a turn with Renaissance, without a decline. */

import { t } from "../i18n/i18n";

export function Stay() {
  return <p class="ask">{t("Your turn is scored: put your empire into decline now, or stay with it.")}</p>;
}
