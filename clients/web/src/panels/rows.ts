/** A long list of which only the rows in view and some around them are elements. Rows are added at its end only. */

import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { isSame } from "../pure";
import { Tail } from "./tail";

/** Height of a row in pixels before it is measured. */
const GUESS = 26;
/** Pixels above and below the view in which rows are elements, too. */
const MARGIN = 400;
/** Pixels by which the view changes before rows are chosen anew: with each scroll the list would be laid out twice. */
const STEP = 200;

/** What is seen of a list, in pixels from its start. */
export interface View {
  readonly top: number;
  readonly height: number;
}

/** Rows that are elements, from `first` to before `end`, and the heights of those above and below them. */
export interface Rows {
  readonly first: number;
  readonly end: number;
  readonly above: number;
  readonly below: number;
}

/** Return the rows around a view, by measured heights as far as there are any. */
export function rowsIn(count: number, heights: readonly (number | undefined)[], { top, height }: View): Rows {
  let [first, end, above, at] = [0, 0, 0, 0];
  for (let row = 0; row < count; row += 1) {
    const bottom = at + (heights[row] ?? GUESS);
    if (bottom < top - MARGIN && row < count - 1) [first, above] = [row + 1, bottom];
    if (at <= top + height + MARGIN) end = row + 1;
    at = bottom;
  }
  let shown = above;
  for (let row = first; row < end; row += 1) shown += heights[row] ?? GUESS;
  return { first, end: Math.max(end, first), above, below: Math.max(0, at - shown) };
}

/** Return the ref of what scrolls, that of the list in it, and its rows; it shows its newest row unless somebody has scrolled back. */
export function useRows(count: number) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const heights = useRef<(number | undefined)[]>([]);
  const [tail] = useState(() => new Tail());
  const [view, setView] = useState<View>({ top: 0, height: 0 });
  const [measured, setMeasured] = useState(0);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- `measured` counts the changes of the heights
  const rows = useMemo(() => rowsIn(count, heights.current, view), [count, view, measured]);

  const look = useCallback(({ scrollTop, clientHeight }: Element): void => {
    const seen = { top: scrollTop - (scrollTop % STEP), height: clientHeight - (clientHeight % STEP) + 2 * STEP };
    if (clientHeight > 0) setView((known) => (isSame(known, seen) ? known : seen));
  }, []);

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const scrolled = (): void => {
      tail.scrolled(element);
      look(element);
    };
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth !== width) {
        heights.current = []; // lines break elsewhere
        setMeasured((number) => number + 1);
      }
      width = element.clientWidth;
      tail.keep(element);
      look(element);
    });
    element.addEventListener("scroll", scrolled, { passive: true });
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", scrolled);
      observer.disconnect();
    };
  }, [tail, look]);

  useLayoutEffect(() => {
    const [element, drawn] = [frame.current, list.current];
    if (!element || !drawn || element.clientHeight === 0) return;
    let [shift, isNew, at] = [0, false, rows.above];
    for (const [place, row] of [...drawn.children].entries()) {
      const number = rows.first + place;
      row.ariaSetSize = String(count); // as a property, it would draw each row again with each new one
      const [known, height] = [heights.current[number] ?? GUESS, row.getBoundingClientRect().height];
      if (known !== height) {
        heights.current[number] = height;
        isNew = true;
        if (at < element.scrollTop) shift += height - known; // what is read stays where it is
      }
      at += height;
    }
    if (!tail.isFollowed && shift !== 0) element.scrollTop += shift;
    tail.keep(element);
    look(element);
    if (isNew && !isSame(rows, rowsIn(count, heights.current, view))) setMeasured((number) => number + 1);
  }, [rows, count, view, tail, look]);
  return { frame, list, rows };
}
