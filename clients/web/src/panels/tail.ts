/** Keeps a list scrolled to its end while its end is in view. */

import { useLayoutEffect, useRef } from "preact/hooks";

/** Pixels from the end within which a list counts as scrolled to it. */
const NEAR = 24;

/** Return whether the end of a list is in view. */
export function isScrolledToEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR;
}

/** Return a listener for scrolling that notes in `isAtEnd` whether a list follows its end: scrolling back alone ends that. */
export function follower(isAtEnd: { current: boolean }): (element: Element) => void {
  let before = 0;
  return (element) => {
    const { scrollTop } = element;
    if (isScrolledToEnd(element)) isAtEnd.current = true;
    else if (scrollTop < before) isAtEnd.current = false; // else it became lower, or its content higher, before the event came
    before = scrollTop;
  };
}

/** Return the ref of a list that shows its newest entry, unless somebody has scrolled back. */
export function useTail<T extends HTMLElement>(length: number) {
  const list = useRef<T>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const note = follower(isAtEnd);
    const noticed = (): void => note(element);
    element.addEventListener("scroll", noticed, { passive: true });
    return () => element.removeEventListener("scroll", noticed);
  }, []);
  useLayoutEffect(() => {
    if (list.current && isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [length]);
  return list;
}
