/** Shows what others did one by one, at the pace of the settings. */

import { useEffect } from "preact/hooks";

import type { Store } from "./store";

/** Updates that may wait before they are shown faster than the pace, so that the board never falls far behind. */
const FEW = 8;
/** Updates from which on all but the latest are skipped. */
const MANY = 60;

/** Show the updates that wait at a store: each `pace` milliseconds after the one before, or all at once for 0. */
export function usePace(store: Store, pace: number): void {
  useEffect(() => startPace(store, pace), [store, pace]);
}

/** As `usePace`, until the returned function is called. An update that may be shown at once is shown before anything is drawn. */
export function startPace({ model, dispatch, subscribe }: Store, pace: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = model().shown;
  let since = -Infinity;
  const look = (): void => {
    const now = performance.now();
    const { waiting, ...known } = model();
    if (known.shown !== shown) [shown, since] = [known.shown, now];
    if (waiting.length === 0) return;
    if (pace === 0 || waiting.length > MANY) {
      dispatch({ kind: "showAll" });
      return;
    }
    const wait = since + pace / Math.max(1, waiting.length / FEW) - now;
    if (wait <= 0) dispatch({ kind: "showNext" });
    else timer ??= setTimeout(again, wait);
  };
  const again = (): void => {
    timer = undefined;
    look();
  };
  const stop = subscribe(look);
  look();
  return () => {
    stop();
    clearTimeout(timer);
  };
}
