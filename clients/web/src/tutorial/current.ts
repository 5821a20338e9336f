/** Which matches are tutorials, and which one is that of this browser. */

import { seatOf } from "../connection/access";
import { keptIn } from "../connection/storage";
import type { Match } from "../gen/vinci/v1/lobby_pb";

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

/** Return whether a match is a tutorial, of anybody. */
export function isOfTutorial({ seed, fromPosition }: Match): boolean {
  return fromPosition && seed === "tutorial"; // of server/vinci_words/tutorial.toml, which is loaded later
}

/** Return the match of the tutorial that was left and can go on. */
export function leftTutorial(): string | undefined {
  const matchId = read(KEY);
  return matchId !== undefined && seatOf(matchId) ? matchId : undefined;
}
