/** Scores of all seats with their progress to the target and their clocks, in the order of play, so that each keeps its place. */

import { SeatKind } from "../gen/vinci/v1/lobby_pb";
import { t } from "../i18n/i18n";
import { isAway, isOver, state, wouldScore } from "../match/selectors";
import type { Table } from "../match/table";
import { explained } from "../tips";
import { Clock } from "./Clock";
import { SeatChip } from "./SeatChip";

export function Scores({ table: { model, names } }: { table: Table }) {
  const position = state(model);
  if (!position) return <p>{t("The game has not started yet.")}</p>;
  return (
    <ol class="scores">
      {position.order.map((number) => {
        const seat = position.seats[number - 1];
        if (!seat) return null;
        const sits = model.match?.seats[seat.seat - 1];
        const income = seat.scoresNoMore || isOver(model) ? undefined : wouldScore(model.shown, seat.seat);
        const isDummy = sits?.kind === SeatKind.DUMMY;
        const isBot = sits?.kind === SeatKind.BOT;
        return (
          <li key={seat.seat} class={`seat${seat.seat}${seat.seat === position.seatToAct ? " acting" : ""}${seat.seat === model.seat ? " mine" : ""}`}>
            <SeatChip seat={seat.seat} />
            <span class="player" {...(isDummy ? explained(dummy()) : {})}>
              {names.player(seat.seat)}
              {seat.seat === model.seat && <small class="you"> {t("(you)")}</small>}
              {isBot && <small> {t("computer player")}</small>}
              {sits && isAway(model, sits) && <small class="away"> {t("offline")}</small>}
              {sits?.substituted && <small class="away"> {t("a substitute plays")}</small>}
            </span>
            <Clock model={model} seat={seat.seat} />
            <span class="vp" {...explained(pointsOf(names.player(seat.seat), seat.vp, income, position.target))}>
              <b>{seat.vp}</b> {income !== undefined && <small>+{income}</small>}
            </span>
            <span class="progress" role="img" aria-label={t("{vp} of {target} VP", { vp: seat.vp, target: position.target })}>
              <span style={{ width: `${Math.min(100, (100 * seat.vp) / position.target)}%` }} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function pointsOf(player: string, vp: number, income: number | undefined, target: number): string {
  return [
    t("{player} has {vp} VP.", { player, vp }),
    ...(income === undefined ? [] : [t("With the provinces held now, the next score adds {income}.", { income })]),
    t("When somebody has {target}, the round is played to its end, and most VP win.", { target }),
  ].join(" ");
}

function dummy(): string {
  return t("A dummy is the opponent of the rule book, without a person or a plan: it takes the first civilization, and always the province that is worth most. Usually it has 2 pawns more with each civilization than a player, which makes it strong.");
}
