/** Survivors of lost provinces are placed in those that are left. */

import { plural } from "../i18n/i18n";
import { Placement } from "./Placement";
import type { ModeProps } from "./usePlay";

export function Redeploy(props: ModeProps) {
  const survivors = props.decision.legal.redeploy?.pawns ?? 0;
  return (
    <>
      <p class="ask">{plural("You lost land, and {n} pawn survives. Place it where you still hold land.", "You lost land, and {n} pawns survive. Place them where you still hold land.", survivors)}</p>
      <Placement {...props} />
    </>
  );
}
