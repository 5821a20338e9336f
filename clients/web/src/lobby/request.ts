/** The form for a new match, and the request that it makes. The server says what options there are and what is wrong. */

import type { MessageInitShape } from "@bufbuild/protobuf";

import {
  type CreateMatchRequestSchema,
  type MatchSeat,
  SeatKind,
  type SeatSetupSchema,
  TimeoutPolicy,
} from "../gen/vinci/v1/lobby_pb";

/** What happens when a time is up or the tries of a bot are; empty for the default action. */
export type Policy = "" | "substitute" | "forfeit";

/** Values of the form; an empty text is the default. */
export interface Form {
  /** A word for each seat, see `setupOf`. */
  readonly seats: readonly string[];
  readonly board: string;
  readonly edition: string;
  /** Such as "30" for seconds of a decision or "10m+15s" for a bank and what each turn adds. */
  readonly clock: string;
  readonly timeout: Policy;
  /** Seconds after which whoever is gone is replaced. */
  readonly absence: string;
  readonly substitute: string;
  readonly start: "" | "host";
  readonly advice: "" | "none";
  readonly seed: string;
  readonly tries: string;
  readonly refused: Policy;
  /** Single rules by name. */
  readonly options: Readonly<Record<string, string>>;
}

export const HUMAN = "human";
export const DUMMY = "dummy";
/** A seat for a bot of any name. */
export const ANY_BOT = "bot";
export const FEWEST_SEATS = 3;
export const MOST_SEATS = 6;

/** Levels of computer players, the weakest first. */
export const LEVELS = ["easy", "normal", "hard", "expert"] as const;
export type Level = (typeof LEVELS)[number];

/** Return the form with which a match for two people begins. */
export function emptyForm(bots: readonly string[]): Form {
  const other = bots.includes("normal") ? "normal" : DUMMY;
  return {
    seats: [HUMAN, HUMAN, other, other],
    board: "",
    edition: "",
    clock: "",
    timeout: "",
    absence: "",
    substitute: "",
    start: "",
    advice: "",
    seed: "",
    tries: "",
    refused: "",
    options: {},
  };
}

/** Return the form of a game at once against computer players of a level. */
export function quickForm(level: Level, opponents: number): Form {
  return { ...emptyForm([]), seats: [HUMAN, ...Array<string>(opponents).fill(level)] };
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

/** Return the word for a seat. */
export function wordOf(seat: Pick<MatchSeat, "kind" | "bot">): string {
  if (seat.kind === SeatKind.HUMAN) return HUMAN;
  return seat.kind === SeatKind.DUMMY ? DUMMY : seat.bot || ANY_BOT;
}

/** A clock in seconds. */
export interface Clock {
  readonly decisionSeconds: number;
  readonly bankSeconds: number;
  readonly incrementSeconds: number;
}

/** Clocks to choose from, as typed. Others are read by the server alone. */
export const CLOCKS: ReadonlyMap<string, Clock | undefined> = new Map([
  ["", undefined],
  ["30", { decisionSeconds: 30, bankSeconds: 0, incrementSeconds: 0 }],
  ["60", { decisionSeconds: 60, bankSeconds: 0, incrementSeconds: 0 }],
  ["2m+5s", { decisionSeconds: 0, bankSeconds: 120, incrementSeconds: 5 }],
  ["10m+15s", { decisionSeconds: 0, bankSeconds: 600, incrementSeconds: 15 }],
  ["24h", { decisionSeconds: 86_400, bankSeconds: 0, incrementSeconds: 0 }],
]);

const POLICIES: Record<Policy, TimeoutPolicy> = {
  "": TimeoutPolicy.DEFAULT_ACTION,
  substitute: TimeoutPolicy.SUBSTITUTE,
  forfeit: TimeoutPolicy.FORFEIT,
};
const TRIES = 3;

/** Return the request for the match of a form, without its id. */
export function requestOf(form: Form): MessageInitShape<typeof CreateMatchRequestSchema> {
  const settings = Object.fromEntries(Object.entries(form.options).filter(([, value]) => value !== ""));
  return {
    seats: form.seats.map(setupOf),
    options: { edition: form.edition, settings },
    board: form.board,
    seed: form.seed.trim(),
    startWhenFull: form.start !== "host",
    timing: {
      clock: form.clock,
      onTimeout: form.clock.trim() ? POLICIES[form.timeout] : TimeoutPolicy.UNSPECIFIED,
      absenceSeconds: Number(form.absence) || 0,
      substitute: form.substitute,
    },
    mistakes: { tries: Number(form.tries) || TRIES, after: POLICIES[form.refused] },
    noAdvice: form.advice === "none",
  };
}

const FIELDS: Readonly<Record<string, string>> = {
  BAD_SEAT: "seats",
  BAD_NAME: "name",
  UNKNOWN_BOARD: "board",
  BAD_SEED: "seed",
  BAD_TIMING: "clock",
  BAD_MISTAKES: "tries",
};

/** Return the name of the field that a refusal is about, such as "seed" or "option target"; empty if it is about none. */
export function blamed(reason: string, facts: Readonly<Record<string, string>>): string {
  if (reason === "BAD_OPTION") return `option ${(facts["option"] ?? "").split("=")[0] ?? ""}`;
  return FIELDS[reason] ?? "";
}
