/** Films from the server: of one of its matches, or of a record that somebody has. */

import { matches, plain } from "../connection/clients";
import type { Update } from "../gen/vinci/v1/game_pb";
import { type Match, MatchStatus } from "../gen/vinci/v1/lobby_pb";
import type { Film } from "./film";

/** Return the film of a match that is over. */
export async function filmOf(matchId: string, signal: AbortSignal): Promise<Film> {
  const updates: Update[] = [];
  let match: Match | undefined;
  for await (const { kind } of matches.watch({ matchId, fromRevision: 0n, state: true }, { signal })) {
    if (kind.case === "match") match = kind.value;
    if (kind.case === "update") updates.push(kind.value);
  }
  if (!match || updates.length === 0) throw new Error(`the server sent no positions of match ${matchId}`);
  return { source: { matchId }, match, updates };
}

/** Return the film of a record with notes, and the error of its first wrong line; the film then ends before that. */
export async function filmOfRecord(name: string, lines: string[], notes = ""): Promise<{ film: Film; fault: unknown }> {
  const updates: Update[] = [];
  let match: Match | undefined;
  let fault: unknown;
  try {
    for await (const { kind } of matches.replayRecord({ lines })) {
      if (kind.case === "match") match = { ...kind.value, matchId: name };
      if (kind.case === "update") updates.push(kind.value);
    }
  } catch (error) {
    if (!match || updates.length === 0) throw error;
    fault = error;
    match = { ...match, status: MatchStatus.ENDED };
  }
  if (!match || updates.length === 0) throw new Error("the server sent no positions of the record");
  return { film: { source: { lines }, match, updates, notes }, fault };
}

/** Return the record of a match, as a file holds it. */
export async function recordOf(matchId: string): Promise<string> {
  const { lines } = await matches.getRecord({ matchId }, plain);
  return lines.join("\n") + "\n";
}

/** Return a file of a game of the league that this server shows, such as 3-1.jsonl; undefined if there is none. */
export async function fileOfGame(name: string): Promise<string | undefined> {
  const answer = await fetch(`/league/games/${name}`);
  return answer.ok ? await answer.text() : undefined;
}
