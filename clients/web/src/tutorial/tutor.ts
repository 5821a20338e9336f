/** Progress through the steps of the tutorial, from the actions of the game; the same as in the terminal client. */

import type { Action, Update } from "../gen/vinci/v1/game_pb";
import type { Lessons, Step } from "./lessons";

/** A place in the tutorial: the step from 0, and how many of the actions that it wants are done. */
export interface Place {
  readonly step: number;
  readonly done: number;
}

/** Steps that were only read: from the place where the last action led to a later one. */
export interface Read {
  readonly from: number;
  readonly to: number;
}

/** Return where the actions of a game lead, from its first update on. */
export function placeOf({ steps, seat }: Lessons, past: readonly Update[]): Place {
  const places: { readonly revision: bigint; readonly place: Place }[] = [];
  let place: Place = { step: 0, done: 0 };
  for (const { revision, undoTo, seat: actor, notation } of past) {
    if (undoTo !== undefined) place = places.filter((known) => known.revision <= undoTo).at(-1)?.place ?? { step: 0, done: 0 };
    else if (actor === seat) place = after(steps, place, notation);
    places.push({ revision, place });
  }
  return place;
}

function after(steps: readonly Step[], { step, done }: Place, notation: string): Place {
  const wanted = nextWanted(steps, step); // who acts has read enough
  const found = steps[wanted];
  if (!found || !endsWith(found, notation)) return { step, done };
  const now = (wanted === step ? done : 0) + 1;
  return now === found.times ? { step: wanted + 1, done: 0 } : { step: wanted, done: now };
}

/** Return the step from a place on that wants an action; the last one wants none. */
function nextWanted(steps: readonly Step[], from: number): number {
  const found = steps.findIndex(({ wants }, at) => at >= from && wants !== "");
  return found < 0 ? steps.length - 1 : found;
}

/** Return where one is with what was read since. */
export function withRead(place: Place, read: Read): Place {
  return read.from === place.step && place.done === 0 ? { step: read.to, done: 0 } : place;
}

/** Return whether an action completes a step, or a part of it. */
export function endsWith({ wants, withWord }: Step, notation: string): boolean {
  const words = `${notation} `;
  return wants !== "" && words.startsWith(`${wants} `) && words.includes(` ${withWord}`);
}

/** Return the answer to an action that the tutorial does not want now; empty if it allows it. */
export function objection({ steps, always }: Lessons, { step }: Place, notation: string): string {
  const found = steps[nextWanted(steps, step)];
  if (!found?.wants || endsWith(found, notation)) return "";
  return [...found.also, ...always].includes(notation.split(" ")[0] ?? "") ? "" : found.hint;
}

/** Return an action in notation, as far as steps read it. */
export function wordsOf({ kind }: Action): string {
  switch (kind.case) {
    case "take":
      return `take ${kind.value.slot}`;
    case "conquer":
      return `x ${kind.value.province}`;
    case "hold":
      return kind.value.forts.length > 0 ? "hold fort" : "hold";
    default:
      return kind.case ?? "";
  }
}
