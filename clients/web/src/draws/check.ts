/**
 * The check of a game that is over, by this page alone: seed and nonces are those that were committed to, and give the draws of
 * the record, which is that of the game as it was seen. It knows no rules of play: ties of dummies between provinces, and whether
 * a dummy had to roll its die, are left to `vinci replay --verify`.
 */

import { equals } from "@bufbuild/protobuf";

import { type State, StateSchema, type Update } from "../gen/vinci/v1/game_pb";
import { type Bag, Chance, drawCivilization, drawOrder, mixedSeed, take } from "./chance";
import type { Pledge } from "./pledges";
import rules from "./rules.json";
import { hashOf } from "./sha";

/** What is wrong: a sentence `drawsWhy` of the catalogue by name, and what it tells. */
export interface Fault {
  readonly what:
    | "commitment"
    | "sealed"
    | "position"
    | "own_nonce"
    | "no_reveal"
    | "seed"
    | "hashes"
    | "nonce"
    | "unreadable"
    | "other_game"
    | "traits"
    | "draw";
  readonly facts?: Readonly<Record<string, string | number>>;
}

export type Verdict =
  | { readonly kind: "fault"; readonly fault: Fault }
  /** Nothing was known when the seat was taken, or the server gave no result. */
  | { readonly kind: "unchecked"; readonly why: "unknown" | "no_result" }
  | {
      readonly kind: "checked";
      readonly hasOwnNonce: boolean;
      readonly voided: number;
      /** Draws that were checked; undefined if the server has other rules than this page. */
      readonly draws: number | undefined;
      /** Ties of dummies that this page cannot check. */
      readonly ties: number;
    };

interface First {
  readonly engine?: string;
  readonly commitment?: string;
  readonly sealed?: boolean;
  readonly position?: string;
  readonly nonce_hashes?: readonly string[];
  readonly opening_seed?: string;
}

interface Line {
  readonly seat?: number;
  readonly by?: string;
  readonly do?: string;
  readonly undo?: number;
  readonly picks?: readonly string[];
  readonly rolls?: readonly string[];
}

interface Last {
  readonly result?: object;
  readonly reveal?: { readonly seed: string; readonly salt: string; readonly nonces?: readonly string[] };
}

class Wrong extends Error {
  constructor(readonly fault: Fault) {
    super(fault.what);
  }
}

/**
 * Return what can be said of the draws of a game; undefined for an open seed, which everybody knows.
 *
 * @param pledge what was kept when the seat was taken.
 * @param seat the seat.
 * @param record the lines of the record.
 * @param film all updates with their states, as the server tells them now.
 * @param seen updates as they came during the game, perhaps not all, perhaps without states.
 */
export function check(
  pledge: Pledge | undefined,
  seat: number,
  record: readonly string[],
  film: readonly Update[],
  seen: readonly Update[],
): Verdict | undefined {
  if (!pledge?.commitment) return pledge?.seed ? undefined : { kind: "unchecked", why: "unknown" };
  try {
    const lines = record.map((line) => JSON.parse(line) as Line);
    const [first, last] = [lines[0] as First | undefined, lines.at(-1) as Last | undefined];
    if (!first || !last?.result) return { kind: "unchecked", why: "no_result" };
    const seed = checkedSeed(pledge, seat, first, last);
    checkSeen(lines, film, seen);
    const isSame = first.engine === rules.engine;
    const { draws, ties } = isSame ? checkDraws(pledge, seed, first, lines.slice(0, -1), film) : { draws: undefined, ties: 0 };
    return { kind: "checked", hasOwnNonce: pledge.nonce !== "", voided: pledge.voided, draws, ties };
  } catch (error) {
    // A forged record may raise anything that reading it raises.
    return { kind: "fault", fault: error instanceof Wrong ? error.fault : { what: "unreadable", facts: { error: String(error) } } };
  }
}

/** Return the seed of the draws. Raises Wrong if it is not the one committed to. */
function checkedSeed(pledge: Pledge, seat: number, first: First, { reveal }: Last): string {
  const demand = (holds: boolean, what: Fault["what"], facts?: Fault["facts"]): void => {
    if (!holds) throw new Wrong(facts ? { what, facts } : { what });
  };
  demand(first.commitment === pledge.commitment, "commitment");
  demand(pledge.sealed === (first.sealed === true), "sealed");
  demand(pledge.fromPosition === (first.position !== undefined), "position");
  demand(!pledge.nonce || !pledge.sealed, "own_nonce");
  demand(pledge.sealed || first.opening_seed === undefined, "sealed"); // else the server could choose the opening
  if (!reveal) throw new Wrong({ what: "no_reveal" });
  demand(hashOf(`${reveal.seed}|${reveal.salt}`) === pledge.commitment, "seed");
  const nonces = reveal.nonces ?? [];
  const published = first.nonce_hashes ?? pledge.hashes.map(() => "");
  demand(pledge.hashes.length === 0 || JSON.stringify(published) === JSON.stringify(pledge.hashes), "hashes");
  demand(!pledge.nonce || nonces[seat - 1] === pledge.nonce, "own_nonce");
  const hashes = first.nonce_hashes ?? nonces.map(() => "");
  demand(hashes.length === nonces.length, "hashes");
  nonces.forEach((nonce, place) => demand((nonce && hashOf(nonce)) === hashes[place], "nonce", { seat: place + 1 }));
  return pledge.sealed ? reveal.seed : mixedSeed(reveal.seed, reveal.salt, nonces);
}

/** Raises Wrong unless the record, the updates of now and those of the game say the same. */
function checkSeen(lines: readonly Line[], film: readonly Update[], seen: readonly Update[]): void {
  if (film.length !== lines.length - 1) throw new Wrong({ what: "other_game", facts: { line: film.length } });
  for (const update of [...film, ...seen]) {
    const place = Number(update.revision);
    const [line, now] = [lines[place], film[place]];
    const isSame =
      now?.revision === update.revision &&
      (place === 0 || (line?.seat === update.seat && (line.do ?? "") === update.notation)) &&
      (line?.undo === undefined ? undefined : BigInt(line.undo)) === update.undoTo &&
      (!update.state || (now.state && equals(StateSchema, now.state, update.state)));
    if (!isSame) throw new Wrong({ what: "other_game", facts: { line: place + 1 } });
  }
}

/** Draw again what can be drawn without the rules of play. Raises Wrong at the first draw that differs. */
function checkDraws(
  { edition, settings }: Pledge,
  seed: string,
  first: First,
  lines: readonly Line[],
  film: readonly Update[],
): { draws: number; ties: number } {
  const options: Readonly<Record<string, string>> = { ...rules.editions[edition as keyof typeof rules.editions], ...settings };
  const redrawsPairs = options["identical_pair"] === "redraw";
  const deck: Readonly<Record<string, number>> = rules.decks[options["deck"] as keyof typeof rules.decks];
  let fills = first.position === undefined ? 0 : Number(/\bfills\s+(\d+)/.exec(first.position)?.[1] ?? 6);
  let [draws, ties] = [0, 0];

  const demandSame = (place: number, drawn: readonly string[], found: readonly string[]): void => {
    if (JSON.stringify(drawn) === JSON.stringify(found)) return;
    const given: unknown = found; // of a forged record it may be anything
    const index = Array.isArray(given) ? [...found, undefined].findIndex((one, index) => one !== drawn[index]) : 0;
    const wrong = Array.isArray(given) ? (found[index] ?? "–") : JSON.stringify(given);
    throw new Wrong({ what: "draw", facts: { line: place + 1, found: wrong, drawn: drawn[index] ?? "–" } });
  };

  lines.forEach((line, place) => {
    const [before, after] = [film[place - 1]?.state, film[place]?.state];
    if (!after) throw new Wrong({ what: "other_game", facts: { line: place + 1 } });
    const market = after.market.map(({ traits }) => traits);
    let chance = new Chance(seed);
    if (place === 0 && first.position === undefined) {
      chance = new Chance(first.opening_seed ?? seed);
      const order = drawOrder(chance, after.seats.map(({ dummy }) => dummy));
      const bag: Bag = new Map(Object.entries(deck));
      const drawn = market.map(() => drawCivilization(chance, bag, fills++, redrawsPairs));
      demandSame(place, [...order.map(String), ...drawn.flat()], [...after.order.map(String), ...market.flat()]);
    } else {
      const slot = Number(/^take (\d)$/.exec(line.do ?? "")?.[1] ?? 0);
      const kept = (before ?? after).market.filter((_, index) => index !== slot - 1).map(({ traits }) => traits);
      const drawn = slot ? drawCivilization(chance, bagBefore(deck, after, place), fills++, redrawsPairs) : [];
      demandSame(place, [...kept.flat(), ...drawn], market.flat());
    }
    demandSame(place, chance.picks, line.picks ?? []);
    const rolls = line.rolls ?? [];
    const numbers = rolls.filter((roll) => /^\d+$/.test(roll));
    const again = before && line.by === "dummy" ? rolled(seed, before, line, numbers.length) : [];
    demandSame(place, again, numbers);
    draws += chance.picks.length + again.length;
    ties += rolls.length - numbers.length;
  });
  return { draws, ties };
}

/** Return the bag before the last civilization of the market was drawn: all traits that are nowhere else. */
function bagBefore(deck: Readonly<Record<string, number>>, { market, seats }: State, place: number): Bag {
  const bag: Bag = new Map(Object.entries(deck));
  const elsewhere = [
    ...market.slice(0, -1).flatMap(({ traits }) => traits),
    ...seats.flatMap(({ active, declined }) => [...(active?.traits ?? []), ...(declined?.traits ?? [])]),
  ];
  for (const trait of elsewhere) if (!take(bag, trait)) throw new Wrong({ what: "traits", facts: { line: place + 1, trait } });
  return bag;
}

/** Return the numbers that a dummy draws: the die of a decline (R-DUMMY-5), if it rolled one, and the seat that it names (R-DUMMY-6). */
function rolled(seed: string, { round, seats }: State, line: Line, count: number): readonly string[] {
  const chance = new Chance(seed);
  const seat = line.seat ?? 0;
  const named = seats[seat - 1]?.peace ?? [];
  const others = seats.filter((one) => one.seat !== seat && !one.dummy && !one.forfeited && !named.includes(one.seat));
  const names = (line.do ?? "").startsWith("peace ");
  const isDrawn = names && others.length > 1;
  if (count > (isDrawn ? 1 : 0)) chance.pick("die", [round, seat], ["1", "2", "3", "4", "5", "6"]);
  if (isDrawn) chance.pick("peace", [round, seat, named.length], others.map((one) => String(one.seat)));
  return chance.picks;
}
