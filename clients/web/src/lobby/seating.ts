/** Calls of the lobby: matches made, seats taken and left. Tokens are kept for this tab. */

import { dropSeat, hostTokenOf, keepHostToken, keepSeat, type Seat, seatOf } from "../connection/access";
import { bearing, lobby, plain, requestId } from "../connection/clients";
import { playAs } from "../connection/person";
import { keepPledge } from "../draws/pledges";
import { hashOf, newNonce } from "../draws/sha";
import type { Match } from "../gen/vinci/v1/lobby_pb";
import { type Form, requestOf, setupOf } from "./request";

/** Make a match and return it; this browser is its host, by the name of the person at it. */
export async function make(form: Form, name: string): Promise<Match> {
  await playAs(name.trim());
  const { match, hostToken } = await lobby.createMatch({ ...requestOf(form), requestId: requestId() }, plain);
  if (!match) throw new Error("the server sent no match");
  keepHostToken(match.matchId, hostToken);
  return match;
}

/** Sit down at a match, at a seat or at the first one that is open. */
export async function join(matchId: string, name: string, seat = 0): Promise<Seat> {
  return (await seated({ matchId, seat, player: name.trim() })).seat;
}

/** Take over the seat that another terminal offers by a code; return its match. */
export async function takeOver(code: string, name: string): Promise<string> {
  return (await seated({ code: code.trim(), player: name.trim() })).matchId;
}

async function seated(request: {
  matchId?: string;
  seat?: number;
  code?: string;
  player: string;
}): Promise<{ matchId: string; seat: Seat }> {
  await playAs(request.player);
  const nonce = newNonce();
  const answer = await lobby.joinMatch({ ...request, nonceHash: hashOf(nonce), requestId: requestId() }, plain);
  const matchId = answer.match?.matchId ?? request.matchId ?? "";
  const seat = { seat: answer.seat, token: answer.seatToken };
  keepSeat(matchId, seat);
  if (answer.match) keepPledge(answer.match, seat.seat, nonce);
  return { matchId, seat };
}

/** Leave the seat of this tab before the start. */
export async function leave(matchId: string): Promise<void> {
  await lobby.leaveMatch({ matchId }, bearing(seatOf(matchId)?.token));
  dropSeat(matchId);
}

/** Start a match that this tab has made. */
export async function start(matchId: string): Promise<void> {
  await lobby.startMatch({ matchId }, bearing(hostTokenOf(matchId)));
}

/** Change who is to sit at a free seat of a match that this tab has made. */
export async function setSeat(matchId: string, seat: number, word: string): Promise<void> {
  await lobby.setSeat({ matchId, seat, setup: setupOf(word) }, bearing(hostTokenOf(matchId)));
}
