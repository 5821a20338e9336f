/**
 * What this browser keeps of each of its seats to check the draws of the game (docs/chance.md): the commitment of the server and
 * the own nonce, whose hash is sent first and which is revealed when the server lists its seat as due.
 *
 * It is kept in `localStorage`: of the tabs with a seat only one sends, and all of them check.
 */

import { seatOf } from "../connection/access";
import { keptIn } from "../connection/storage";
import { type Match, MatchStatus } from "../gen/vinci/v1/lobby_pb";
import { hashOf, newNonce } from "./sha";

export interface Pledge {
  /** The commitment to the seed when the seat was taken, and what else was said then; an open seed needs no check. */
  readonly commitment: string;
  readonly seed: string;
  readonly sealed: boolean;
  readonly fromPosition: boolean;
  /** The rules of the match. */
  readonly edition: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The nonce of the seat; empty if it has none of this browser. */
  readonly nonce: string;
  /** The hashes of the nonces of all seats before the own nonce was revealed; empty as long as it was not. */
  readonly hashes: readonly string[];
  /** How often revealed nonces became void. */
  readonly voided: number;
  /** When it was kept, in milliseconds since 1970. */
  readonly time: number;
}

/** What `RevealNonce` is to send. */
export type Due = { readonly nonce: string } | { readonly nonceHash: string };

const PREFIX = "vinci-draws-";
const LIFETIME = 90 * 86_400_000;
const { read, write } = keptIn(() => localStorage);

/** Return what is kept of a seat; undefined if it was not taken in this browser. */
export function pledgeOf(matchId: string, seat: number): Pledge | undefined {
  const text = read(keyOf(matchId, seat));
  return text === undefined ? undefined : (JSON.parse(text) as Pledge);
}

/** Keep what checks the game of a seat that was just taken with the hash of a nonce. */
export function keepPledge(match: Match, seat: number, nonce: string): void {
  forgetOld();
  const hashes = hashesOf(match);
  write(
    keyOf(match.matchId, seat),
    JSON.stringify({
      commitment: match.commitment,
      seed: match.seed,
      sealed: match.sealed,
      fromPosition: match.fromPosition,
      edition: match.options?.edition ?? "",
      settings: match.options?.settings ?? {},
      nonce: hashes[seat - 1] === hashOf(nonce) ? nonce : "",
      hashes: match.status === MatchStatus.OPEN ? [] : hashes,
      voided: 0,
      time: Date.now(),
    } satisfies Pledge),
  );
}

/**
 * Return what is due from the seat of this tab in a match, undefined if nothing is. Before that it keeps what must not be lost:
 * the hashes of all seats before the nonce is revealed, a new nonce before its hash is sent.
 *
 * @param isLatest whether the match is the latest that the server has sent: an older one must not replace the nonce.
 */
export function due(match: Match, isLatest: boolean): Due | undefined {
  const { seat } = seatOf(match.matchId) ?? { seat: 0 };
  const pledge = pledgeOf(match.matchId, seat);
  if (!pledge || !match.noncesDue.includes(seat)) return undefined;
  const hashes = hashesOf(match);
  const keep = (changed: Partial<Pledge>): void => write(keyOf(match.matchId, seat), JSON.stringify({ ...pledge, ...changed }));
  if (hashes[seat - 1]) {
    if (hashes[seat - 1] !== hashOf(pledge.nonce)) return undefined;
    if (pledge.hashes.length === 0) keep({ hashes });
    return { nonce: pledge.nonce };
  }
  if (!isLatest) return undefined;
  const wasRevealed = pledge.hashes.length > 0;
  const nonce = pledge.nonce && !wasRevealed ? pledge.nonce : newNonce();
  keep({ nonce, hashes: [], voided: pledge.voided + (wasRevealed ? 1 : 0) });
  return { nonceHash: hashOf(nonce) };
}

function hashesOf(match: Match): readonly string[] {
  return match.seats.map(({ nonceHash }) => nonceHash);
}

function keyOf(matchId: string, seat: number): string {
  return `${PREFIX}${matchId}-${seat}`;
}

function forgetOld(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      const { time } = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Pledge>;
      if (Date.now() - (time ?? 0) > LIFETIME) localStorage.removeItem(key);
    }
  } catch {
    // the browser allows no storage
  }
}
