/** The address of the page, changed without loading everything again. */

const CHANGED = "vinci-address";

/** Go to another page, such as `/m/ID`, without loading everything again. */
export function go(path: string): void {
  history.pushState(null, "", path);
  window.dispatchEvent(new window.Event(CHANGED));
}

/** Call a function when the address has changed, until the returned one is called. */
export function onAddress(changed: () => void): () => void {
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
