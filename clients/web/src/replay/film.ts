/** A game that was played, step by step. Every position is as the server sent it; there are no rules here. */

import { Phase, type Update } from "../gen/vinci/v1/game_pb";
import { type Match, MatchStatus } from "../gen/vinci/v1/lobby_pb";
import type { Attack } from "../match/attacks";
import { initial, type Model } from "../match/model";

/** What a review of a film is asked for by: the match, or the lines of its record. */
export type Source = { readonly matchId: string } | { readonly lines: string[] };

/** The match, and all its updates with their states, oldest first; at least one. */
export interface Film {
  readonly source?: Source;
  readonly match: Match;
  readonly updates: readonly Update[];
  /** The file with the notes of bots; empty or left out without one. */
  readonly notes?: string;
}

/** What a review shows outside of itself: how good turns were, at their first steps, and arrows instead of those of the last move. */
export interface Remarks {
  readonly marks: readonly { readonly step: number; readonly grade: string }[];
  readonly arrows: readonly Attack[] | undefined;
  /** The verdict on the turn that begins, a sentence each. */
  readonly said: readonly string[];
}

/** A turn, or in round 0 a choice in the opening draft: its first step, its round and its seat. */
export interface FilmTurn {
  readonly step: number;
  readonly round: number;
  readonly seat: number;
}

/** Return the number of the last step; step 0 is the position before the first action. */
export function lastStep(film: Film): number {
  return Math.max(0, film.updates.length - 1);
}

/** Return the match as it was at a step, with a selected province. */
export function modelAt(film: Film, step: number, selected: string): Model {
  const isLast = step >= lastStep(film);
  const shown = film.updates[step];
  const match = { ...film.match, seats: film.match.seats.map((seat) => ({ ...seat, connected: true, substituted: false })) };
  return {
    ...initial(film.match.matchId, 0),
    match: isLast ? match : { ...match, status: MatchStatus.RUNNING, paused: false },
    connection: "open",
    latest: shown?.revision ?? 0n,
    shown,
    previous: film.updates[step - 1],
    past: film.updates.slice(0, step + 1),
    selected,
  };
}

/** Return the turns in order. */
export function turnsOf(film: Film): readonly FilmTurn[] {
  const turns: FilmTurn[] = [];
  film.updates.forEach(({ state }, step) => {
    if (!state || (turns.length > 0 && state.phase === Phase.OVER)) return;
    const before = turns.at(-1);
    if (before?.round !== state.round || before.seat !== state.turnSeat) turns.push({ step, round: state.round, seat: state.turnSeat });
  });
  return turns;
}

/** Return the place of the turn in which a step is. */
export function turnAt(turns: readonly FilmTurn[], step: number): number {
  return Math.max(0, turns.filter((turn) => turn.step <= step).length - 1);
}

/** Return the first step of the next turn, or the last step. */
export function nextTurn(film: Film, turns: readonly FilmTurn[], step: number): number {
  return turns[turnAt(turns, step) + 1]?.step ?? lastStep(film);
}

/** Return the first step of this turn, and from there that of the turn before. */
export function previousTurn(turns: readonly FilmTurn[], step: number): number {
  const here = turnAt(turns, step);
  const start = turns[here]?.step ?? 0;
  return start === step ? (turns[here - 1]?.step ?? 0) : start;
}

/** Return the step at which a revision has just been played, the last one if there is none. */
export function stepOfRevision(film: Film, revision: bigint): number {
  const step = film.updates.findIndex((update) => update.revision >= revision);
  return step < 0 ? lastStep(film) : step;
}

/** Return the lines of the text of a record. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** Return the step that a key leads to; undefined for other keys. */
export function stepOf(key: string, film: Film, turns: readonly FilmTurn[], step: number): number | undefined {
  switch (key) {
    case "ArrowRight":
      return Math.min(step + 1, lastStep(film));
    case "ArrowLeft":
      return Math.max(step - 1, 0);
    case "PageDown":
    case "ArrowDown":
      return nextTurn(film, turns, step);
    case "PageUp":
    case "ArrowUp":
      return previousTurn(turns, step);
    case "Home":
      return 0;
    case "End":
      return lastStep(film);
    default:
      return undefined;
  }
}
