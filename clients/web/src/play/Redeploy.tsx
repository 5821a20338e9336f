/** Survivors of lost provinces are placed in those that are left. */

import { useMemo } from "preact/hooks";

import { plural } from "../i18n/i18n";
import { happened, lostTo, sinceLastTurn } from "../match/recap";
import { Placement } from "./Placement";
import type { ModeProps } from "./usePlay";

export function Redeploy(props: ModeProps) {
  const { model, names } = props.table;
  const { past, seat } = model;
  const losses = useMemo(() => lostTo(sinceLastTurn(happened(past), seat), seat, names), [past, seat, names]);
  const survivors = props.decision.legal.redeploy?.pawns ?? 0;
  return (
    <>
      <p class="ask">
        {losses.map(({ text }) => `${text} `)}
        {plural("{n} pawn survives: place it where you still hold land.", "{n} pawns survive: place them where you still hold land.", survivors)}
      </p>
      <Placement {...props} />
    </>
  );
}
