/** The form for a new match, and the request that it makes. The server describes its fields and reads what is typed. */

import type { MessageInitShape } from "@bufbuild/protobuf";

import {
  type CreateMatchRequestSchema,
  type MatchField,
  MatchFieldKind,
  type MatchSeat,
  SeatKind,
  type SeatSetupSchema,
} from "../gen/vinci/v1/lobby_pb";

/** Values of fields by their code, as typed; an empty one is the usual one. */
export type Values = Readonly<Record<string, string>>;

/** What is chosen in the form. */
export interface Form {
  /** A word for each seat, see `setupOf`. */
  readonly seats: readonly string[];
  readonly values: Values;
}

export const HUMAN = "human";
export const DUMMY = "dummy";
/** A seat for a bot of any name. */
export const ANY_BOT = "bot";

/** Levels of computer players, the weakest first. */
export const LEVELS = ["easy", "normal", "hard", "expert"] as const;
export type Level = (typeof LEVELS)[number];

/** Return the form with which a match begins that needs nobody else. */
export function emptyForm(bots: readonly string[]): Form {
  const other = bots.includes("normal") ? "normal" : DUMMY;
  return { seats: [HUMAN, other, other, other], values: {} };
}

/** VP that end a game by the rules. */
export const TARGET = 120;
/** Lengths of a game at once: the VP that end it, and about how many minutes it takes. */
export const LENGTHS: readonly (readonly [target: number, minutes: number])[] = [
  [TARGET, 30],
  [80, 20],
];

/** Return the form of a game at once against computer players of a level. */
export function quickForm(level: Level, opponents: number, target: number): Form {
  return { seats: [HUMAN, ...Array<string>(opponents).fill(level)], values: target === TARGET ? {} : { target: String(target) } };
}

/** Return seats of another number; new ones are as the last. */
export function resized(seats: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => seats[place] ?? seats.at(-1) ?? DUMMY);
}

/** Return seats with another word at a place, counted from 0. */
export function replaced(seats: readonly string[], place: number, word: string): readonly string[] {
  return seats.map((one, other) => (other === place ? word : one));
}

/** Return the seat for a word: "human", "dummy", "bot" for any, else the name of a bot. */
export function setupOf(word: string): MessageInitShape<typeof SeatSetupSchema> {
  if (word === HUMAN) return { kind: SeatKind.HUMAN };
  if (word === DUMMY) return { kind: SeatKind.DUMMY };
  return { kind: SeatKind.BOT, bot: word === ANY_BOT ? "" : word };
}

/** Return the words of `setupOf` that can be chosen for a seat. */
export function seatWords(bots: readonly string[]): readonly string[] {
  return [HUMAN, DUMMY, ...bots, ANY_BOT];
}

/** Return the word for a seat. */
export function wordOf(seat: Pick<MatchSeat, "kind" | "bot">): string {
  if (seat.kind === SeatKind.HUMAN) return HUMAN;
  return seat.kind === SeatKind.DUMMY ? DUMMY : seat.bot || ANY_BOT;
}

/** Return the fields of the form but for the seats: those that can be chosen, given the values of the others. */
export function shown(fields: readonly MatchField[], values: Values): readonly MatchField[] {
  return fields.filter(
    ({ group, kind, onlyIf }) => group && kind !== MatchFieldKind.SEATS && (!onlyIf || (values[onlyIf] ?? "").trim()),
  );
}

/** Return the request for the match of a form, without its id. */
export function requestOf({ seats, values }: Form): MessageInitShape<typeof CreateMatchRequestSchema> {
  const settings = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
  return { seats: seats.map(setupOf), options: { settings }, startWhenFull: true };
}
