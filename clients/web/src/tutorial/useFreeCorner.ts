/** The corner of the board where a card covers least of what it is about. */

import { type RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Corners of the board by classes of the card, the first one of those that are as free. */
const CORNERS = ["", "low right", "low", "right"];

/**
 * Move a card to the corner of the board where it covers fewest of some provinces; it stays where it covers no more.
 *
 * @param provinces those that can be chosen, as codes.
 * @param most the one that matters most, empty for none.
 * @param isShown whether there is a card.
 */
export function useFreeCorner(card: RefObject<HTMLElement | null>, provinces: readonly string[], most: string, isShown: boolean): void {
  const last = useRef("");
  const wanted = [...provinces].sort().join(" ");
  useLayoutEffect(() => {
    const element = card.current;
    if (!element) return;
    const codes = wanted.split(" ");
    const put = (corner: string): void => {
      for (const side of ["low", "right"]) element.classList.toggle(side, corner.includes(side));
    };
    const covered = (corner: string): number => {
      put(corner);
      const box = element.getBoundingClientRect();
      const under = (code: string): boolean => {
        const land = document.querySelector(`.stage [data-province="${code}"]`)?.getBoundingClientRect();
        return land !== undefined && land.left < box.right && land.right > box.left && land.top < box.bottom && land.bottom > box.top;
      };
      return codes.filter(under).length + (under(most) ? codes.length + 1 : 0); // it outweighs all others
    };
    const corners = [last.current, ...CORNERS];
    const counts = corners.map(covered);
    put((last.current = corners[counts.indexOf(Math.min(...counts))] ?? ""));
  }, [card, wanted, most, isShown]);
}
