/** Sends the nonce of this tab's seat, or the hash of a new one, when the server waits for it. */

import { seatOf } from "../connection/access";
import { bearing, lobby } from "../connection/clients";
import type { Match } from "../gen/vinci/v1/lobby_pb";
import { due } from "./pledges";

/** Send what is due from the seat of this tab; what gets lost is still due when the server sends the match again. */
export function revealDue(match: Match, isLatest = true): void {
  const what = due(match, isLatest);
  if (what) lobby.revealNonce({ matchId: match.matchId, ...what }, bearing(seatOf(match.matchId)?.token)).catch(() => undefined);
}
