/** What has happened since the last turn of a seat: in sentences, and as arrows. The terminal client says the same. */

import { type Board, type Event, Holding, type State, type Update } from "../gen/vinci/v1/game_pb";
import { capital, t } from "../i18n/i18n";
import { type Attack, attackOf } from "./attacks";
import type { Names } from "./names";
import { standing } from "./selectors";
import { sentence } from "./sentences";

/** An event with the revision that it came with, and the revision of the position before it. */
export interface Happened {
  readonly revision: bigint;
  readonly before: bigint;
  readonly event: Event;
}

/** A sentence of a recap, and the seat that it is about. */
export interface Told {
  readonly seat: number;
  readonly text: string;
}

/** Return the events of updates, without those that were taken back. */
export function happened(past: readonly Update[]): readonly Happened[] {
  const kept = standing(past).filter(({ undoTo }) => undoTo === undefined);
  return kept.flatMap(({ revision, events }, place) => events.map((event) => ({ revision, before: kept[place - 1]?.revision ?? -1n, event })));
}

/** Return what happened from the score of a seat's last turn to the beginning of the one that it plays now. */
export function sinceLastTurn(events: readonly Happened[], seat: number): readonly Happened[] {
  const { scores, starts } = turnsOf(events, seat);
  const last = scores.at(-1) ?? -1;
  const start = starts.at(-1) ?? -1;
  if (start < last || start < 0) return events.slice(Math.max(last, 0));
  return events.slice(scores.filter((place) => place < start).at(-1) ?? 0, start);
}

/** Return the provinces that a seat conquered in its last turn that is over, in order. */
export function ownConquests(events: readonly Happened[], seat: number): readonly string[] {
  const { scores, starts } = turnsOf(events, seat);
  const last = scores.at(-1);
  if (last === undefined) return [];
  const turn = events.slice(starts.filter((place) => place < last).at(-1) ?? 0, last);
  return turn.flatMap(({ event: { kind } }) => (kind.case === "conquered" && kind.value.seat === seat ? [kind.value.province] : []));
}

/** Return the places at which turns of a seat begin, and those at which it scores. */
function turnsOf(events: readonly Happened[], seat: number): Record<"scores" | "starts", readonly number[]> {
  const placesOf = (wanted: "scored" | "turnStarted"): readonly number[] =>
    events.flatMap(({ event: { kind } }, place) => (kind.case === wanted && kind.value.seat === seat ? [place] : []));
  return { scores: placesOf("scored"), starts: placesOf("turnStarted") };
}

/** Return the attacks of others, in order, as far as the position before them is known. */
export function attacksIn(recent: readonly Happened[], seat: number, states: ReadonlyMap<bigint, State>, board: Board): readonly Attack[] {
  return recent.flatMap(({ event, before }) => {
    const state = states.get(before);
    const attack = state && attackOf(event, state, board);
    return attack && attack.seat !== seat ? [attack] : [];
  });
}

/** Return what is said of what happened: losses, the own last turn with its conquests, then others as they played. */
export function recapOf(recent: readonly Happened[], seat: number, names: Names, conquests: readonly string[]): readonly Told[] {
  const losses = lostTo(recent, seat, names);
  const told = losses.length > 0 ? [...losses] : [{ seat, text: t("You lost nothing.") }];
  const isStart = ({ event }: Happened): number => Number(event.kind.case === "turnStarted");
  const others = new Map<number, Event[]>();
  // Turns are first: a victim may also place survivors before its turn.
  for (const { event } of [...recent].sort((one, other) => isStart(other) - isStart(one))) {
    const { kind } = event;
    if (kind.case === "scored" && kind.value.seat === seat) {
      told.push({ seat, text: sentence("recapTurn", { ...kind.value, provinces: conquests }, names) });
    }
    const other = kind.value && "seat" in kind.value ? kind.value.seat : 0;
    if (other !== 0 && other !== seat) others.set(other, [...(others.get(other) ?? []), event]);
  }
  for (const [other, events] of others) {
    const parts = partsOf(events, seat, names);
    if (parts.length > 0) told.push({ seat: other, text: t("{who}: {parts}.", { who: names.seat(other), parts: parts.join(t("; ")) }) });
  }
  return told;
}

/** Return for each attacker of a seat a sentence with the provinces that it took. */
export function lostTo(recent: readonly Happened[], seat: number, names: Names): readonly Told[] {
  const taken = new Map<string, { seat: number; provinces: string[]; declined: boolean }>();
  for (const { event: { kind } } of recent) {
    if (kind.case !== "conquered" || kind.value.defender !== seat || kind.value.seat === seat) continue;
    const { seat: attacker, province, held } = kind.value;
    const declined = held === Holding.DECLINED;
    const key = `${attacker} ${String(declined)}`;
    const known = taken.get(key) ?? { seat: attacker, provinces: [], declined };
    known.provinces.push(province);
    taken.set(key, known);
  }
  return Array.from(taken.values(), (facts) => ({ seat: facts.seat, text: sentence("recapLost", facts, names) }));
}

/** Return what a seat did besides its attacks on one victim, in a few words each. */
function partsOf(events: readonly Event[], victim: number, names: Names): readonly string[] {
  const defenders = events.flatMap(({ kind }) => (kind.case === "conquered" ? [kind.value.defender] : []));
  const ofVictim = defenders.filter((defender) => defender === victim).length;
  let won = defenders.length > 0 ? sentence("recapWon", { n: defenders.length }, names) : "";
  if (ofVictim > 0) won += sentence("recapFromYou", { n: ofVictim }, names);
  const others = events.map(({ kind: { case: name = "", value = {} } }) => sentence(`recap${capital(name)}`, value, names));
  return [won, ...others].filter((part) => part !== "");
}
