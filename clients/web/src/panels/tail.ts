/** Keeps a list scrolled to its end while its end is in view. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Pixels from the end within which a list counts as scrolled to it: rows there that are measured late move the end away. */
const NEAR = 64;

/** Return whether the end of a list is in view. */
function isScrolledToEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR;
}

/** Whether a list follows its end: scrolling back alone ends that, not that the list becomes lower or its content higher. */
export class Tail {
  private top = 0;
  isFollowed = true;

  /** Take note of a scroll event. */
  scrolled(element: Element): void {
    if (isScrolledToEnd(element)) this.isFollowed = true;
    else if (element.scrollTop < this.top) this.isFollowed = false;
    this.top = element.scrollTop;
  }

  /** Scroll to the end if it is followed. */
  keep(element: Element): void {
    if (!this.isFollowed) return;
    element.scrollTop = element.scrollHeight;
    this.top = element.scrollTop; // its event may come when the list has changed again
  }
}

/** Return the ref of a list that shows its newest entry, unless somebody has scrolled back. */
export function useTail<T extends HTMLElement>(length: number) {
  const list = useRef<T>(null);
  const [tail] = useState(() => new Tail());
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const noticed = (): void => tail.scrolled(element);
    element.addEventListener("scroll", noticed, { passive: true });
    return () => element.removeEventListener("scroll", noticed);
  }, [tail]);
  useLayoutEffect(() => {
    if (list.current) tail.keep(list.current);
  }, [length, tail]);
  return list;
}
