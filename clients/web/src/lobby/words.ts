/** The lobby in words: matches, seats, clocks and the options of the rules. */

import { type LocalizedText } from "../gen/vinci/v1/game_pb";
import { type Match, type MatchSeat, MatchStatus, SeatKind, type Timing } from "../gen/vinci/v1/lobby_pb";
import { language, mark, plural, t, translated } from "../i18n/i18n";
import { label } from "../match/names";
import { ANY_BOT, type Clock, DUMMY, HUMAN } from "./request";

const OPTIONS: Readonly<Record<string, string>> = {
  own_decline_contact: mark("Touching one's own decline"),
  heritage_conquest: mark("Conquering Heritage provinces"),
  landless_empire: mark("An empire without land"),
  landless_entry: mark("Entering without land"),
  split_empire: mark("An empire that is cut apart"),
  give_up: mark("Giving up provinces"),
  galleys_on_entry: mark("Galleys on entry"),
  forts_by_sea: mark("Forts across the sea"),
  identical_pair: mark("Two identical traits"),
  deck: mark("Traits in the bag"),
  redeployment: mark("Placing survivors"),
  decline_score: mark("Score in the turn of decline"),
  dummy_tie: mark("Ties of a dummy"),
  dummy_preference: mark("What a dummy conquers first"),
  dummy_spies: mark("Spies of a dummy"),
  target: mark("VP that end the game"),
  max_rounds: mark("Most rounds"),
  dummy_start_vp: mark("VP of a dummy at the start"),
  dummy_extra_pawns: mark("Additional pawns of a dummy"),
};

const VALUES: Readonly<Record<string, string>> = {
  evacuate: mark("evacuate what is touched"),
  forbid: mark("forbidden"),
  allowed: mark("allowed"),
  forbidden: mark("forbidden"),
  choice: mark("decline or go on"),
  auto_decline: mark("declines by itself"),
  auto_decline_no_pawn: mark("declines when out of pawns"),
  regroup: mark("pawns come back"),
  lose: mark("pawns are lost"),
  lose_at_end: mark("pawns left behind are lost"),
  only_if_forced: mark("if pawns are missing"),
  free: mark("as one likes"),
  forced: mark("required if affordable"),
  astronomy: mark("with Astronomy"),
  lasting: mark("lasting traits"),
  all: mark("all traits"),
  yes: mark("yes"),
  no: mark("no"),
  redraw: mark("drawn again"),
  keep: mark("kept"),
  author: mark("the author's"),
  printed: mark("as printed"),
  manual: mark("by their owner"),
  automatic: mark("by the server"),
  random: mark("by chance"),
  real_player: mark("against a real player"),
  value: mark("what is worth most"),
  formula: mark("by the formula"),
  always: mark("whenever they save pawns"),
  tie: mark("at equal costs"),
};

/** Return the name of an option of the rules. */
export function option(name: string): string {
  return translated(OPTIONS[name] ?? name.replaceAll("_", " "));
}

/** Return a value of an option. */
export function value(setting: string): string {
  return translated(VALUES[setting] ?? setting.replaceAll("_", " "));
}

/** Return how many people can still sit down at a match. */
export function openSeats(match: Match): number {
  return match.seats.filter(({ kind, taken }) => kind === SeatKind.HUMAN && !taken).length;
}

/** Return how far a match has come. */
export function status(match: Match): string {
  switch (match.status) {
    case MatchStatus.OPEN:
      return openSeats(match) ? plural("{n} seat open", "{n} seats open", openSeats(match)) : t("full");
    case MatchStatus.RUNNING: {
      const where = match.round ? t("round {n}", { n: match.round }) : t("opening draft");
      return match.paused ? t("{where}, paused", { where }) : where;
    }
    case MatchStatus.ENDED:
      return t("ended");
    default:
      return t("over");
  }
}

/** Return who is to sit at a seat, by the word of `request.setupOf`. */
export function kind(word: string): string {
  if (word === HUMAN) return t("person");
  if (word === DUMMY) return t("dummy");
  return word === ANY_BOT ? t("any bot") : t("bot {name}", { name: label(word) });
}

/** Return the player of a seat in one or two words. */
export function player(seat: MatchSeat): string {
  if (seat.kind === SeatKind.DUMMY) return t("dummy");
  if (seat.taken) return label(seat.player.trim()) || t("seat {seat}", { seat: seat.seat });
  return seat.kind === SeatKind.HUMAN ? t("(open)") : t("({bot})", { bot: kind(seat.bot || ANY_BOT) });
}

/** Return whether a seat is ready for the start. */
export function readiness(seat: MatchSeat): string {
  if (seat.kind === SeatKind.DUMMY) return t("ready");
  if (!seat.taken) return seat.kind === SeatKind.HUMAN ? t("open") : t("waits for the bot");
  if (seat.connected) return t("ready");
  return seat.kind === SeatKind.HUMAN ? t("is away") : t("comes at the start");
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

/** Return a clock in a few words. */
export function clock(timing: Clock | Timing | undefined): string {
  if (timing?.decisionSeconds) return t("{time} a decision", { time: short(timing.decisionSeconds) });
  if (!timing?.bankSeconds) return t("no clock");
  const bank = short(timing.bankSeconds);
  return timing.incrementSeconds ? t("{time} + {more}", { time: bank, more: short(timing.incrementSeconds) }) : bank;
}

/** Return the name of a board or edition in the language of the page. */
export function named(texts: readonly LocalizedText[], code: string): string {
  const names = texts.find((text) => text.code === code)?.names;
  return names?.[language()] ?? names?.["en"] ?? code;
}

/** Return what is said of a board or edition in the language of the page. */
export function described(texts: readonly LocalizedText[], code: string): string {
  const descriptions = texts.find((text) => text.code === code)?.descriptions;
  return descriptions?.[language()] ?? descriptions?.["en"] ?? "";
}
