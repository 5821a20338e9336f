/** The corner of the board where a card covers least of what it is about. */

import { type RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Move a card to the bottom of the board if fewer of the provinces lie below it there than at the top.
 *
 * @param provinces those that can be chosen, as codes.
 * @param most the one that matters most, empty for none.
 * @param isShown whether there is a card.
 */
export function useFreeCorner(card: RefObject<HTMLElement | null>, provinces: readonly string[], most: string, isShown: boolean): void {
  const wanted = [...provinces].sort().join(" ");
  useLayoutEffect(() => {
    const element = card.current;
    if (!element) return;
    const codes = wanted.split(" ");
    const covered = (isLow: boolean): number => {
      element.classList.toggle("low", isLow);
      const box = element.getBoundingClientRect();
      const under = (code: string): boolean => {
        const land = document.querySelector(`.stage [data-province="${code}"]`)?.getBoundingClientRect();
        return land !== undefined && land.left < box.right && land.right > box.left && land.top < box.bottom && land.bottom > box.top;
      };
      return codes.filter(under).length + (under(most) ? codes.length + 1 : 0); // it outweighs all others
    };
    const atTop = covered(false);
    element.classList.toggle("low", covered(true) < atTop);
  }, [card, wanted, most, isShown]);
}
