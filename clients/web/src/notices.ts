/** Notifications of the system that it is one's move, for those who asked for them. */

import { t } from "./i18n/i18n";

/** Whether this browser can show notifications here: only on pages by HTTPS or of the own machine. */
export function canNotify(): boolean {
  return "Notification" in window && isSecureContext;
}

/** Ask whether notifications may be shown; return the answer. */
export async function mayNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** Say that it is one's move in a match, unless its page is seen; a click shows the page. */
export function notifyTurn(matchId: string): void {
  if (!canNotify() || document.visibilityState === "visible" || Notification.permission !== "granted") return;
  try {
    const notice = new Notification(t("Your move."), { body: t("Match {id}", { id: matchId }), tag: matchId });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  } catch {
    // browsers of phones show them by service workers only
  }
}
