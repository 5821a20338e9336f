/** The lobby in words: matches, seats, times, and what the server describes of matches. */

import { type Match, type MatchField, MatchFieldKind, type MatchSeat, SeatKind } from "../gen/vinci/v1/lobby_pb";
import { mark, t, translated } from "../i18n/i18n";
import { label as bot, textIn } from "../match/names";
import { sentence } from "../match/sentences";
import { isOfTutorial, isTutorial } from "../tutorial/current";
import { ANY_BOT, DUMMY, HUMAN } from "./request";

/** Return how many people can still sit down at a match. */
export function openSeats(match: Match): number {
  return match.seats.filter(({ kind, taken }) => kind === SeatKind.HUMAN && !taken).length;
}

/** Return how far a match has come. */
export function status(match: Match): string {
  const { status, round, paused } = match;
  return sentence("matchStatus", { status, round, paused, open: openSeats(match) });
}

/** Return who is to sit at a seat, by the word of `request.setupOf`. */
export function kind(word: string): string {
  if (word === HUMAN) return t("person");
  if (word === DUMMY) return t("dummy");
  return word === ANY_BOT ? t("any computer player") : t("computer player {name}", { name: bot(word) });
}

/** Return the player of a seat in one or two words. */
export function player(seat: MatchSeat): string {
  if (seat.kind === SeatKind.DUMMY) return t("dummy");
  if (seat.taken) return bot(seat.player.trim()) || t("seat {seat}", { seat: seat.seat });
  return seat.kind === SeatKind.HUMAN ? t("(open)") : t("({bot})", { bot: kind(seat.bot || ANY_BOT) });
}

/** Return whether a seat is ready for the start. */
export function readiness(seat: MatchSeat): string {
  return sentence("readiness", seat);
}

const UNITS = [
  [86_400, mark("{n} d")],
  [3_600, mark("{n} h")],
  [60, mark("{n} min")],
  [1, mark("{n} s")],
] as const;

/** Return seconds in the largest units that fit: 30 s, 10 min, 1 h 30 min. */
export function short(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const [size, text] of UNITS) {
    const number = Math.floor(rest / size);
    rest -= number * size;
    if (number) parts.push(translated(text, { n: number }));
  }
  return parts.join(" ") || t("{n} s", { n: 0 });
}

/** Return a rough age in one unit. */
export function age(seconds: number): string {
  for (const [size] of UNITS.slice(0, 3)) if (seconds >= size) return short(Math.floor(seconds / size) * size);
  return t("new");
}

/** Return the name of a field of a match. */
export function label(field: MatchField): string {
  return textIn(field.text?.names);
}

/** Return a value of a field of a match. */
export function value(field: MatchField, chosen: string): string {
  const namesOf = (code: string) => field.values.find((text) => text.code === code)?.names;
  const names = namesOf(chosen);
  if (names) return textIn(names, chosen);
  const text = field.kind === MatchFieldKind.SECONDS && /^\d+$/.test(chosen) ? short(Number(chosen)) : bot(chosen);
  return textIn(namesOf("*"), "{value}").replace("{value}", () => text);
}

/** Return name and value of each choice that a match tells; of every match also what is `always` worth telling, if asked for. */
export function told(match: Match, fields: readonly MatchField[], isFull: boolean): readonly (readonly [string, string])[] {
  return fields
    .map((field) => ({ field, code: field.text?.code ?? "" }))
    .filter(({ field, code }) => code in match.choices || (isFull && field.always))
    .map(({ field, code }) => [label(field), value(field, match.choices[code] ?? "")]);
}

/** Return whether lists have a match: of tutorials only the one of this browser; in those that were left dummies play on. */
export function isListed(match: Match): boolean {
  return !isOfTutorial(match) || isTutorial(match.matchId);
}
