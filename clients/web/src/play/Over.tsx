/** The end of the game: who won and by how much, the ranks, and another game. */

import { create } from "@bufbuild/protobuf";
import { useEffect } from "preact/hooks";

import { go } from "../address";
import { keepSeat } from "../connection/access";
import { bearing, lobby, plain, requestId } from "../connection/clients";
import Draws from "../draws/Draws";
import { keepPledge } from "../draws/pledges";
import { hashOf, newNonce } from "../draws/sha";
import { WatchResponseSchema } from "../gen/vinci/v1/match_pb";
import { t } from "../i18n/i18n";
import { seats, state } from "../match/selectors";
import type { Table } from "../match/table";
import { SeatChip } from "../panels/SeatChip";
import { again } from "./calls";
import type { Play } from "./usePlay";
import { outcomeOf, ranking } from "./wording";

/** Milliseconds between questions whether somebody wants another game: a match that is over is no longer watched. */
const ASKING = 5000;

export function Over({ table, play }: { table: Table; play: Play }) {
  const { model, names, token, dispatch } = table;
  const { match } = model;
  const asked = model.seat > 0 && match?.rematch === "" ? match.matchId : "";
  useEffect(() => {
    if (!asked) return undefined;
    const ask = async (): Promise<void> => {
      const { match } = await lobby.getMatch({ matchId: asked }, plain);
      if (match) dispatch({ kind: "received", response: create(WatchResponseSchema, { kind: { case: "match", value: match } }), at: performance.now() });
    };
    const timer = setInterval(() => document.visibilityState === "visible" && void ask().catch(() => undefined), ASKING);
    return () => clearInterval(timer);
  }, [asked, dispatch]);
  const position = state(model);
  if (!match || !position) return null;
  const vp = position.seats.map((seat) => seat.vp);
  const ranks = match.ranks;
  const waiting = seats(match).length > 0 && match.rematch !== "";
  const rematch = async (): Promise<undefined> => {
    const nonce = newNonce();
    const request = { matchId: match.matchId, nonceHash: hashOf(nonce), requestId: requestId() };
    const answer = await again(() => lobby.joinRematch(request, bearing(token)));
    const { matchId = "" } = answer.match ?? {};
    keepSeat(matchId, { seat: answer.seat, token: answer.seatToken });
    if (answer.match) keepPledge(answer.match, answer.seat, nonce);
    go(`/m/${matchId}`);
    return undefined;
  };
  return (
    <div class="play over">
      <div class="body">
        <div role="status">
          {match.ended && <p>{t("The match was ended: {reason}.", { reason: match.ended })}</p>}
          {ranks.length > 0 && outcomeOf(ranks, vp, position.round, names).map((text) => <p key={text} class="outcome">{text}</p>)}
        </div>
        {ranks.length > 0 && (
          <ol class="ranks">
            {ranking(ranks).map((seat) => (
              <li key={seat}>
                {ranks[seat - 1]}. <SeatChip seat={seat} /> <span>{names.player(seat)}</span> <b>{t("{n} VP", { n: vp[seat - 1] ?? 0 })}</b>
              </li>
            ))}
          </ol>
        )}
        {model.seat > 0 && ranks.length > 0 && <Draws model={model} />}
        {play.notice && (
          <p class="bad" role="alert">
            {play.notice}
          </p>
        )}
      </div>
      {model.seat > 0 && ranks.length > 0 && !match.fromPosition && (
        <div class="acts">
          {waiting && <p role="status">{t("There is another game: the button leads to it.")}</p>}
          <button class="act" onClick={() => play.attempt(rematch)}>
            {t("Another game with the same players")}
          </button>
          <small>{t("All move to the next seat: numbers and colours change.")}</small>
        </div>
      )}
    </div>
  );
}
