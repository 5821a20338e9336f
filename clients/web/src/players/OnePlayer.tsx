/** One player: the rating, results against others, and the latest games with their replays. */

import { useState } from "preact/hooks";

import { lobby, plain } from "../connection/clients";
import { Link } from "../frame";
import { type GetPlayerResponse, type PlayedGame, type Player, type PlayerMeeting, SeatKind } from "../gen/vinci/v1/lobby_pb";
import { language, plural, signed, t } from "../i18n/i18n";
import { label } from "../match/names";
import { Name, PlayersFrame, ratingOf, useAnswer } from "./answers";

/** Most of the others whose results are shown before somebody asks for more: below them are the games. */
const MOST_MET = 12;

export function OnePlayer({ name, isBot }: { name: string; isBot: boolean }) {
  const asked = useAnswer<GetPlayerResponse>(() => lobby.getPlayer({ name, kind: isBot ? SeatKind.BOT : SeatKind.HUMAN }, plain));
  const { player, meetings = [], games = [] } = asked.answer ?? {};
  return (
    <PlayersFrame heading={isBot ? `${label(name)} (${t("computer player")})` : name} asked={asked}>
      {player && <Summary player={player} />}
      {player && (
        <div class="league-columns">
          {meetings.length > 0 && <Meetings meetings={meetings} />}
          <Games games={games} />
        </div>
      )}
      <p>
        <Link to="/players">{t("All players")}</Link>
      </p>
    </PlayersFrame>
  );
}

function Summary({ player: { rating, games, wins } }: { player: Player }) {
  return (
    <p>
      {rating && !rating.unknown && (
        <>
          <strong>{t("Rating {rating}", { rating: ratingOf(rating) })}</strong>{" "}
          {t("(with 95 % between {low} and {high})", { low: signed(Math.round(rating.low)), high: signed(Math.round(rating.high)) })}
          {" · "}
        </>
      )}
      {plural("{n} game", "{n} games", games)} · {plural("{n} win", "{n} wins", wins)}
      {rating?.provisional && (
        <>
          <br />
          {t("The rating is provisional: there are too few games with the others.")}
        </>
      )}
    </p>
  );
}

function Games({ games }: { games: readonly PlayedGame[] }) {
  return (
    <section aria-labelledby="latest">
      <h2 id="latest">{t("Latest games")}</h2>
      <ul class="games">
        {games.map(({ matchId, seats, endTime }) => (
          <li key={matchId}>
            <Link to={`/m/${matchId}#replay`}>{matchId}</Link>
            <ol class="seats">
              {[...seats]
                .sort((one, other) => one.rank - other.rank)
                .map((seat, index) => (
                  <li key={index} class={seat.own ? "own" : ""}>
                    {seat.rank}. {seat.own ? <b>{label(seat.name)}</b> : <Name player={seat} />} {t("{n} VP", { n: seat.vp })}
                  </li>
                ))}
            </ol>
            <span class="note">{new Date(1000 * Number(endTime)).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Meetings({ meetings }: { meetings: readonly PlayerMeeting[] }) {
  const [areAll, setAll] = useState(meetings.length <= MOST_MET);
  return (
    <section aria-labelledby="meetings">
      <h2 id="meetings">{t("Against others")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("Player")}</th>
            {[t("Games"), t("ahead"), t("level"), t("behind")].map((text) => (
              <th key={text} scope="col" class="number">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {meetings.slice(0, areAll ? undefined : MOST_MET).map((met) => (
            <tr key={`${met.kind} ${met.name}`}>
              <th scope="row">
                <Name player={met} />
              </th>
              {[met.games, met.pairsAhead, met.pairsLevel, met.pairs - met.pairsAhead - met.pairsLevel].map((number, column) => (
                <td key={column} class="number">
                  {number}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {meetings.some(({ games, pairs }) => pairs > games) && <p class="note">{t("Who has several seats in a game is counted with each of them.")}</p>}
      {!areAll && <button onClick={() => setAll(true)}>{t("More players")}</button>}
    </section>
  );
}
