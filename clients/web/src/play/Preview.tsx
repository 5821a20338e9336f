/** What the chosen action costs and does, as the server computes it. */

import { state } from "../match/selectors";
import { signed, t } from "../i18n/i18n";
import { sentence } from "../match/sentences";
import type { Table } from "../match/table";
import { pawns } from "../match/wording";
import { WithRules } from "../rules/links";
import { targetAt } from "./choice";
import { nothingOf } from "./Conquer";
import type { Decision } from "./usePlay";
import { costOf, effectsOf, futuresOf, partsOf } from "./wording";

export function Preview({ table, decision }: { table: Table; decision: Decision }) {
  const { names, model } = table;
  const { action, preview, prospects } = decision;
  if (!action) {
    if (decision.choice.mode !== "conquer") return null;
    const parts = decision.legal.hold?.parts.map(({ provinces }) => provinces) ?? [];
    return (
      <>
        {parts.length > 1 && (
          <p class="bad">
            {t("Your empire lies in parts: at the end of the turn only one of them stays, unless a conquest joins them.")} {partsOf(parts, names)}
          </p>
        )}
        <p class="ask">{t("Select a province on the board or here; select it once more to conquer it.")}</p>
      </>
    );
  }
  if (!preview) return action.kind.case === "redeploy" ? null : <p class="preview">{t("Looking ahead …")}</p>; // of survivors nothing is told, and the list would move
  const { effect } = preview;
  if (!effect) {
    return (
      <p class={action.kind.case === "conquer" ? "preview" : "preview bad"}>
        <WithRules text={preview.refusal ?? ""} />
      </p>
    );
  }
  const { losses, others } = effectsOf(effect.events, names);
  const isOfPawns = action.kind.case === "conquer" || action.kind.case === "abandon";
  const position = state(model);
  const conquest = action.kind.case === "conquer" ? action.kind.value.province : "";
  const target = targetAt(decision.legal, conquest);
  const reserve = position?.seats[model.seat - 1]?.active?.reserve ?? 0;
  return (
    <div class="preview">
      {effect.cost.length > 0 && <p class="cost-items">{costOf(effect.cost, names)}</p>}
      {effect.parts.length > 1 && (
        <p class="bad">
          {t("Your empire would lie in parts, and only one of them stays:")} {partsOf(effect.parts, names)}
        </p>
      )}
      {effect.held && <p class="bad">{t("You could hold only {n} of {m} provinces at the end of the turn: each needs a pawn, and lent ones leave.", effect.held)}</p>}
      {losses.map((text) => (
        <p key={text} class="bad">
          {text}
        </p>
      ))}
      {(isOfPawns || (effect.before !== effect.after && action.kind.case !== "hold")) && (
        <p>
          {t("Next score: {before} VP as it is, {after} VP after this ({change}).", {
            before: effect.before,
            after: effect.after,
            change: signed(effect.after - effect.before),
          })}
          {target && ` ${nothingOf(target, names)}`}
          {effect.victim && effect.victim.vp > 0 && ` ${t("{who} loses {n} VP a turn.", { who: names.seat(effect.victim.seat), n: effect.victim.vp })}`}
          {isOfPawns && ` ${t("{before} in hand, {after} afterwards.", { before: pawns(reserve), after: effect.reserve })}`}
        </p>
      )}
      {action.kind.case === "decline" &&
        (position?.lastRound ? [sentence("lastDecline", {})] : futuresOf(prospects, position?.market ?? [], names)).map((text) => <p key={text}>{text}</p>)}
      {others.map((text) => (
        <p key={text} class="effect">
          {text}
        </p>
      ))}
    </div>
  );
}
