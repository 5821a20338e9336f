/** Whose move it is, in which round; and what the move that is shown was. */

import { useEffect, useMemo } from "preact/hooks";

import { useSettings } from "../frame";
import { Phase } from "../gen/vinci/v1/game_pb";
import { plural, t } from "../i18n/i18n";
import { isMyMove, isOver, state } from "../match/selectors";
import type { Table } from "../match/table";
import { captionOf } from "../match/wording";
import { notifyTurn } from "../notices";
import { explained } from "../tips";
import { SeatChip } from "./SeatChip";

export function Turn({ table }: { table: Table }) {
  const { model, names, dispatch } = table;
  const position = state(model);
  const caption = useMemo(() => captionOf(model.past, names), [model.past, names]);
  const isMine = isMyMove(model);
  const { notices } = useSettings().settings;
  useEffect(() => {
    document.title = isMine ? `● ${t("Your move.")} – Vinci` : `${t("Match {id}", { id: model.matchId })} – Vinci`;
    return () => {
      document.title = "Vinci";
    };
  }, [isMine, model.matchId]);
  useEffect(() => {
    if (isMine && notices) notifyTurn(model.matchId);
  }, [isMine, notices, model.matchId]);
  if (!position) return null;
  const behind = model.waiting.length;
  return (
    <div class={`turn${isMine ? " mine" : ""}`}>
      <p class="whose">
        {isOver(model) ? <b>{t("The game is over.")}</b> : <Whose table={table} />}
        <span class="round" {...explained(t("The game ends with the round in which somebody has {target} VP.", { target: position.target }))}>
          {position.round === 0 ? t("Opening draft") : t("Round {round}", { round: position.round })}
          {" · "}
          {position.lastRound && position.phase !== Phase.OVER ? <b>{t("last round")}</b> : t("to {target} VP", { target: position.target })}
        </span>
      </p>
      <p class="caption" aria-live="polite">
        {model.shown && model.shown.seat > 0 && <SeatChip seat={model.shown.seat} />}
        <span>{caption}</span>
        {behind > 0 && (
          <button onClick={() => dispatch({ kind: "showAll" })}>
            {plural("Skip {n} move", "Skip {n} moves", behind)}
          </button>
        )}
      </p>
    </div>
  );
}

function Whose({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  if (!position) return null;
  const seat = position.seatToAct;
  if (model.match?.paused) return <b>{t("The game is paused.")}</b>;
  return (
    <b>
      <SeatChip seat={seat} />{" "}
      {isMyMove(model) ? t("Your move.") : t("{who} plays.", { who: names.player(seat) })}
    </b>
  );
}
