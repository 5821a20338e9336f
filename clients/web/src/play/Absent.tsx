/** What the maker of a match does about players who are gone: gives their seats to somebody else or a computer player, or back. */

import "./menu.css";

import { useEffect, useRef, useState } from "preact/hooks";

import { hostTokenOf, linkTo } from "../connection/access";
import { bearing, lobby, plain } from "../connection/clients";
import { personKey } from "../connection/personKey";
import type { MatchSeat } from "../gen/vinci/v1/lobby_pb";
import { plural, t } from "../i18n/i18n";
import { Shared } from "../lobby/Invitation";
import { ANY_BOT } from "../lobby/request";
import { useServerInfo } from "../lobby/server";
import { kind } from "../lobby/words";
import type { Table } from "../match/table";
import { bringUp } from "./scrolling";
import type { Play } from "./usePlay";

export function Absent({ table, play, seats }: { table: Table; play: Play; seats: readonly MatchSeat[] }) {
  const isHost = useIsHost(table.model.matchId);
  const place = useRef<HTMLUListElement>(null);
  useEffect(() => bringUp(place.current), [isHost]);
  return isHost ? (
    <ul class="absent" ref={place}>
      {seats.map((one) => (
        <li key={one.seat}>
          {one.connected ? <Returned table={table} play={play} seat={one.seat} /> : <Gone table={table} play={play} seat={one} />}
        </li>
      ))}
    </ul>
  ) : null;
}

function Gone({ table, play, seat: { seat, substituted } }: { table: Table; play: Play; seat: MatchSeat }) {
  const { matchId } = table.model;
  const [offer, setOffer] = useState<{ code: string; seconds: number }>();
  const info = useServerInfo(0);
  const who = table.names.seat(seat);
  const place = useRef<HTMLDivElement>(null);
  const give = async (): Promise<undefined> => {
    setOffer(await lobby.offerSeat({ matchId, seat }, bearing(hostTokenOf(matchId))));
    return undefined;
  };
  return (
    <>
      <p>
        {t("{who} is away.", { who })} {substituted && t("A substitute plays for {who}.", { who })}
      </p>
      <div class="others">
        <button onClick={() => play.attempt(give)}>{t("Give the seat to somebody else")}</button>
        {!substituted && (
          <select
            aria-label={t("A substitute for {who}", { who })}
            value=""
            onChange={({ currentTarget: { value } }) => play.attempt(() => substitute(matchId, { seat, bot: value === ANY_BOT ? "" : value }))}
          >
            <option value="" disabled>
              {t("A substitute for {who}", { who })}
            </option>
            <option value={ANY_BOT}>{kind(ANY_BOT)}</option>
            {info?.bots.map((bot) => (
              <option key={bot} value={bot}>
                {kind(bot)}
              </option>
            ))}
          </select>
        )}
      </div>
      {offer && (
        <div class="offer" role="status" ref={place}>
          <p>
            {plural(
              "Whoever opens this link within {n} minute plays the seat of {who}.",
              "Whoever opens this link within {n} minutes plays the seat of {who}.",
              Math.floor(offer.seconds / 60),
              { who },
            )}
          </p>
          <Shared link={linkTo(`/m/${matchId}`, { take: offer.code })} drawn={() => bringUp(place.current)} />
        </div>
      )}
    </>
  );
}

function Returned({ table, play, seat }: { table: Table; play: Play; seat: number }) {
  const { matchId } = table.model;
  const who = table.names.seat(seat);
  return (
    <>
      <p>{t("A substitute plays for {who}.", { who })}</p>
      <button onClick={() => play.attempt(() => substitute(matchId, { seat, back: true }))}>{t("Let {who} go on", { who })}</button>
    </>
  );
}

async function substitute(matchId: string, request: { seat: number; bot?: string; back?: boolean }): Promise<undefined> {
  await lobby.substituteSeat({ matchId, ...request }, bearing(hostTokenOf(matchId)));
  return undefined;
}

/** Return whether this browser or its person has made a match. */
function useIsHost(matchId: string): boolean {
  const [isHost, setHost] = useState(hostTokenOf(matchId) !== undefined);
  useEffect(() => {
    if (isHost || !personKey()) return;
    lobby.listMatches({ pageSize: 1 }, plain).then(
      ({ own }) => setHost(own.some(({ match, host }) => host && match?.matchId === matchId)),
      () => undefined, // somebody else can propose a substitute
    );
  }, [matchId, isHost]);
  return isHost;
}
