/** A league as `vinci tournament run --web` tells it, and what is computed of it for the page. */

import type { Interval } from "./Bar";

export interface Standing {
  readonly bot: string;
  /** The rating minus three times the uncertainty, by which bots are ranked. */
  readonly skill: number;
  readonly games: number;
  readonly rating: number;
  readonly uncertainty: number;
}

export interface Running {
  /** Keys of the games, which a worker plays one after another. */
  readonly games: readonly string[];
  /** The bots of the first game, seat 1 first. */
  readonly bots: readonly string[];
  readonly seconds: number;
}

/** Ratings of the best bots; null before the first game of a bot. */
export interface History {
  /** Numbers of games after which the bots had these ratings. */
  readonly games: readonly number[];
  readonly bots: readonly { readonly bot: string; readonly ratings: readonly (number | null)[] }[];
}

/** A game that is over; lists by seat. */
export interface Game {
  readonly game: string;
  readonly bots: readonly string[];
  readonly ranks: readonly number[];
  readonly vp: readonly number[];
  /** Seats that left the game, from 0. */
  readonly forfeits: readonly number[];
}

/** Evidence for and against the new bot of a gate; it is decided when one reaches what it needs. */
export interface Gate {
  readonly bot: string;
  readonly blocks: number;
  /** Mean score of the bot, from 0 to 1, with its bounds; null before the first block. */
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
  readonly better: number;
  readonly passes_at: number;
  readonly worse: number;
  readonly fails_at: number;
  /** Blocks until it is decided if evidence grows as so far. */
  readonly remaining: number | null;
}

/** What is known of a bot besides its rating. */
export interface Bot {
  readonly bot: string;
  /** Of a bot on another machine; empty for one that is started by the league. */
  readonly connection: "here" | "away" | "never" | "";
  /** Seconds since it is away. */
  readonly away: number | null;
  /** Milliseconds within which half, and 99 %, of its decisions were made. */
  readonly median_ms: number | null;
  readonly most_ms: number | null;
  readonly forfeits: {
    readonly reasons: Readonly<Record<string, number>>;
    readonly last: { readonly game: string; readonly said: string };
  } | null;
}

export interface League {
  readonly name: string;
  readonly format: string;
  readonly games: number;
  readonly planned: number;
  readonly complete: boolean;
  /** When a league with bots on other machines starts: "connected", "command" or a time; empty if it has started. */
  readonly start: string;
  /** Bots on other machines that have never connected. */
  readonly missing: readonly string[];
  readonly provisional: readonly Standing[];
  /** Bots that left a ladder. */
  readonly left: readonly string[];
  /** Earlier versions tell none. */
  readonly bots?: readonly Bot[];
  /** Of a gate only; earlier versions tell none. */
  readonly gate?: Gate | null;
  readonly history: History;
  /** The latest games, newest first. */
  readonly latest: readonly Game[];
  readonly running: readonly Running[];
  readonly seconds_left: number | null;
}

/** No league runs at this server. */
export class NoLeague extends Error {}

/** Half the width of an interval in uncertainties; its lower end is the skill. */
const WIDTH = 3;
const LATE_MS = 10_000;

/** Ask for the league. Raises NoLeague, or any error if the server does not answer. */
export async function readLeague(): Promise<League> {
  const answer = await fetch("/league.json", { cache: "no-store", signal: AbortSignal.timeout(LATE_MS) });
  if (answer.status === 404) throw new NoLeague();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return (await answer.json()) as League;
}

/** Return the interval of the rating of a bot. */
export function intervalOf({ rating, uncertainty }: Standing): Interval {
  return { low: rating - WIDTH * uncertainty, middle: rating, high: rating + WIDTH * uncertainty };
}

/** Return how far evidence is on its way to what it needs, from 0 to 1: it is a product of factors. */
export function wayOf(reached: number, needed: number): number {
  return Math.max(0, Math.min(1, Math.log(Math.max(reached, 1)) / Math.log(needed)));
}

/** Return the place of a bot in the standings, which numbers it wherever it is shown. */
export function place(standings: readonly Standing[], bot: string): number {
  return standings.findIndex((standing) => standing.bot === bot) + 1;
}

/** Return the points of a line: number of games, rating. */
export function points(games: readonly number[], ratings: readonly (number | null)[]): (readonly [number, number])[] {
  return ratings.flatMap((rating, index) => (rating === null ? [] : [[games[index] ?? 0, rating] as const]));
}

/** Return the seats of a game, from 0, by their places. */
export function placed({ ranks }: Game): number[] {
  return ranks.map((_, seat) => seat).sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0));
}

/** Most columns of the table of ratings. */
const MOST_COLUMNS = 4;

/** Return evenly spread places of a list, the last one with them. */
export function columns(list: readonly unknown[]): number[] {
  const count = Math.min(list.length, MOST_COLUMNS);
  return Array.from({ length: count }, (_, column) => Math.round(((column + 1) * list.length) / count) - 1);
}

/** Round seconds as they are shown: to seconds below a minute, to minutes below a day, then to hours. */
export function rounded(seconds: number): number {
  const unit = seconds < 60 ? 1 : seconds < 86_400 ? 60 : 3_600;
  return Math.round(seconds / unit) * unit;
}
