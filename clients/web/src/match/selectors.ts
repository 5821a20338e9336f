/** Questions about a model. They return the same object for the same model where it matters for drawing. */

import { type Legal, Phase, type State, type Update } from "../gen/vinci/v1/game_pb";
import { type Match, type MatchSeat, MatchStatus, SeatKind } from "../gen/vinci/v1/lobby_pb";
import { isFinished, type Model, newest } from "./model";

/** Return the position that is shown; undefined before the start. */
export function state(model: Model): State | undefined {
  return model.shown?.state;
}

/** Return whether what is shown is the present: the stream is open, and all that it told of is shown. */
export function isLive(model: Model): boolean {
  if (isFinished(model)) return model.waiting.length === 0;
  return model.connection === "open" && model.waiting.length === 0 && isComplete(model);
}

/** Return whether every revision that the server has told of was received. */
export function isComplete(model: Model): boolean {
  return (newest(model)?.revision ?? 0n) >= model.latest;
}

/** Return whether the seat played here is to act in the present position, and nothing bars it. */
export function isMyMove(model: Model): boolean {
  return isLive(model) && model.seat !== 0 && state(model)?.seatToAct === model.seat && !isBarred(model);
}

/** Return whether nobody may act for the seat played here: the game is paused, or a substitute plays. */
export function isBarred(model: Model): boolean {
  const seat = model.match?.seats[model.seat - 1];
  return model.match?.status !== MatchStatus.RUNNING || model.match.paused || seat?.substituted === true;
}

/** Return what the seat played here may do now; undefined if it is not its move. */
export function legal(model: Model): Legal | undefined {
  return isMyMove(model) ? model.shown?.legal : undefined;
}

/** Return the VP that the empires of a seat would score now; those of the seat to act with what it can keep. */
export function wouldScore({ state, legal }: Partial<Update> = {}, seat: number): number {
  const { active, declined } = state?.seats[seat - 1] ?? {};
  return (seat === state?.seatToAct ? legal?.hold?.vp : undefined) ?? (active?.vp ?? 0) + (declined?.vp ?? 0);
}

/** Return whether the end of the game is shown. */
export function isOver(model: Model): boolean {
  const isEnded = model.match?.status === MatchStatus.ENDED;
  return model.waiting.length === 0 && (state(model)?.phase === Phase.OVER || isEnded);
}

/** Return whether the player of a seat is not connected, and nobody plays instead, while the game goes on. */
export function isAway(model: Model, { kind, connected, substituted }: MatchSeat): boolean {
  return !isOver(model) && kind !== SeatKind.DUMMY && !connected && !substituted;
}

/** Return the seats of the match, seat 1 first. */
export function seats(match: Match | undefined): readonly MatchSeat[] {
  return match?.seats ?? [];
}

/** Return the updates that stand, oldest first: those that an undo took back are left out, the undo stays. */
export function standing(past: readonly Update[]): readonly Update[] {
  const kept: Update[] = [];
  for (const update of past) {
    const to = update.undoTo;
    if (to !== undefined) while (kept.length > 0 && (kept.at(-1)?.revision ?? 0n) > to) kept.pop();
    kept.push(update);
  }
  return kept;
}
