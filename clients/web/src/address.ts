/** The address of the page, changed without loading everything again. */

import { t } from "./i18n/i18n";

const CHANGED = "vinci-address";

/** Go to another page, such as `/m/ID`, without loading everything again. */
export function go(path: string): void {
  history.pushState(null, "", path);
  window.dispatchEvent(new window.Event(CHANGED));
}

/** Load everything again at an address of which a part is missing, as after an update of the server; say so if that cannot be reached. */
export function goAnew(path: string): void {
  fetch(path).then(() => location.assign(path), tellUnreached);
}

/** Do something else at a click on a link than to follow it, unless the link is to be opened in another place. */
export function onPlainClick(event: MouseEvent, act: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  act();
}

function tellUnreached(): void {
  const note = document.createElement("p");
  note.className = "lost";
  note.role = "alert";
  note.popover = "auto";
  note.textContent = t("This cannot be loaded. Try again when the server can be reached.");
  note.ontoggle = ({ newState }) => newState === "closed" && note.remove();
  document.body.append(note);
  note.showPopover();
}

/** Call a function when the address has changed, until the returned one is called. */
export function onAddress(changed: (event: Event) => void): () => void {
  window.addEventListener(CHANGED, changed);
  window.addEventListener("popstate", changed);
  return () => {
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener("popstate", changed);
  };
}

/** Fragments of the address of a match at which it is seen again, and reviewed. */
export const REPLAY = "#replay";
export const REVIEW = "#review";

/** Return whether the address asks for a match to be seen again. */
export function isReplay(): boolean {
  return location.hash === REPLAY || location.hash === REVIEW;
}
