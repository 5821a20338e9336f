/** Which match of this browser is its tutorial. */

import { seatOf } from "../connection/access";
import { keptIn } from "../connection/storage";

const { read, write } = keptIn(() => localStorage);

const KEY = "vinci-tutorial";

/** Keep a match as the tutorial, or with undefined forget it. */
export function keepTutorial(matchId: string | undefined): void {
  write(KEY, matchId);
}

/** Return whether a match is the tutorial. */
export function isTutorial(matchId: string): boolean {
  return read(KEY) === matchId;
}

/** Return the match of the tutorial that was left and can go on. */
export function leftTutorial(): string | undefined {
  const matchId = read(KEY);
  return matchId !== undefined && seatOf(matchId) ? matchId : undefined;
}
