/** Hints for a first game, each shown once: which one fits, and what this browser has seen. */

import { keptIn } from "../connection/storage";
import { Holding, Phase } from "../gen/vinci/v1/game_pb";
import type { Model } from "../match/model";
import { isMyMove, isOver, state } from "../match/selectors";
import type { Lessons } from "./lessons";

export type HintName = keyof Lessons["hints"];

const { read, write } = keptIn(() => localStorage);

const KEY = "vinci-hints";
/** Stands among the names of seen hints when a game was finished. */
const FINISHED = "finished";

function kept(): readonly string[] {
  return (read(KEY) ?? "").split(" ").filter(Boolean);
}

function keep(name: string): void {
  if (!kept().includes(name)) write(KEY, [...kept(), name].join(" "));
}

/** Return whether no game was finished in this browser. */
export function isNewcomer(): boolean {
  return !kept().includes(FINISHED);
}

/** Keep that a game was finished. */
export function keepFinished(): void {
  keep(FINISHED);
}

/** Return whether a hint was seen. */
export function wasSeen(name: HintName): boolean {
  return kept().includes(name);
}

/** Keep that hints were seen. */
export function keepSeen(names: Iterable<HintName>): void {
  for (const name of names) keep(name);
}

/** Show all hints anew. */
export function forgetHints(): void {
  write(KEY, undefined);
}

/** Return the hint for what the seat played here decides about, or sees while others play; undefined if there is none. */
export function hintOf(model: Model, mode: Exclude<HintName, "entry" | "again" | "wait" | "early"> | undefined): HintName | undefined {
  const position = state(model);
  if (!position || model.seat === 0 || isOver(model)) return undefined;
  if (!isMyMove(model)) return model.match?.paused || position.seatToAct === model.seat ? undefined : position.round === 0 ? "early" : "wait";
  if (mode !== "conquer") return mode;
  const hasLand = position.owners.some((seat, place) => seat === model.seat && position.holdings[place] === Holding.ACTIVE);
  if (!hasLand) return "entry";
  return position.phase === Phase.START ? "again" : "conquer";
}
