/** Survivors of lost provinces are placed in those that are left. */

import { plural } from "../i18n/i18n";
import { Placement } from "./Placement";
import type { ModeProps } from "./usePlay";

export function Redeploy(props: ModeProps) {
  const survivors = props.decision.legal.redeploy?.pawns ?? 0;
  return (
    <>
      <p class="ask">{plural("{n} pawn survives", "{n} pawns survive", survivors)}</p>
      <Placement {...props} />
    </>
  );
}
