/** The standings of the report of a league, and what its page shows of them. */

import type { Interval } from "./Bar";

/** A value with its 95 % interval; without one, both ends are the value, and an open end is a bound on the other side. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly least?: number;
  readonly most?: number;
}

export interface Standings {
  /** The best one first. */
  readonly bots: readonly { readonly bot: string; readonly rating: Estimate }[];
  /** Shares of games in which the first of two bots is ahead of the other. */
  readonly pairs: readonly { readonly bot: string; readonly other: string; readonly ahead: Estimate }[];
}

/** Ask for the standings; undefined while there is no report. */
export async function readStandings(): Promise<Standings | undefined> {
  const answer = await fetch("/league/standings.json", { cache: "no-store" }).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as Standings) : undefined;
}

/** Return the interval that a bar shows; that of a bound ends there. */
export function intervalIn({ value, low, high, least, most }: Estimate): Interval {
  return { low: least ?? low, middle: value, high: most ?? high };
}

/** Return a rating and its interval, which may be unknown, or a bound: "+62" and "−296 … +419", "> +20" and "". */
export function toldRating({ value, low, high, least, most }: Estimate): [string, string] {
  if (least !== undefined) return [`> ${signed(least)}`, ""];
  if (most !== undefined) return [`< ${signed(most)}`, ""];
  return [signed(value), low < high ? `${signed(low)} … ${signed(high)}` : ""];
}

function signed(number: number): string {
  const whole = Math.round(number);
  return whole > 0 ? `+${whole}` : String(whole).replace("-", "−");
}

/** Return the percentage of games in which a bot is ahead of another; a dot for itself, and for bots that never met. */
export function shareOf({ pairs }: Standings, bot: string, other: string): string {
  for (const pair of pairs) {
    if (pair.bot === bot && pair.other === other) return String(Math.round(100 * pair.ahead.value));
    if (pair.bot === other && pair.other === bot) return String(100 - Math.round(100 * pair.ahead.value));
  }
  return "·";
}
