/** The list of players by their ratings, provisional ones after the others. */

import { useEffect, useState } from "preact/hooks";

import { lobby, plain } from "../connection/clients";
import { person } from "../connection/person";
import { type Player, SeatKind } from "../gen/vinci/v1/lobby_pb";
import { t } from "../i18n/i18n";
import { Bar, type Interval, intervals } from "../league/Bar";
import { Name, PlayersFrame, ratingOf, useAnswer } from "./answers";

const AGAIN_MS = 2_000;
const COLUMNS = 5;

interface Listed {
  readonly players: readonly Player[];
  readonly hasMore: boolean;
  readonly isOld: boolean;
}

/** Return the first pages of the list. */
async function read(pages: number): Promise<Listed> {
  const players: Player[] = [];
  let [pageToken, isOld] = ["", false];
  for (let page = 0; page < pages && (page === 0 || pageToken); page += 1) {
    const answer = await lobby.listPlayers({ pageToken }, plain);
    players.push(...answer.players);
    [pageToken, isOld] = [answer.nextPageToken, answer.updating];
  }
  return { players, hasMore: pageToken !== "", isOld };
}

/** Return the name of the person of this browser; empty for a guest. */
function useOwnName(): string {
  const [name, setName] = useState("");
  useEffect(() => {
    person().then(
      (known) => setName(known?.name ?? ""),
      () => undefined, // the list tells why
    );
  }, []);
  return name;
}

export function List() {
  const [pages, setPages] = useState(1);
  const asked = useAnswer(() => read(pages), pages);
  const own = useOwnName();
  const { answer, again } = asked;
  useEffect(() => {
    if (!answer?.isOld) return undefined;
    const timer = setTimeout(again, AGAIN_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each answer
  }, [answer]);
  const { players = [], hasMore = false, isOld = false } = answer ?? {};
  const isOwn = ({ name, kind }: Player): boolean => name === own && kind === SeatKind.HUMAN;
  return (
    <PlayersFrame heading={t("Players")} asked={asked}>
      {answer && players.length === 0 && <p>{t("No game has finished yet that counts for ratings.")} {t("Games count whose players all have a name; guests and dummies have none. Enter yours on the page Matches.")}</p>}
      {isOld && <p role="status">{t("The latest games are being counted.")}</p>}
      {players.length > 0 && <Table players={players} isOwn={isOwn} />}
      {hasMore && <button onClick={() => setPages(pages + 1)}>{t("More players")}</button>}
      {hasMore && own && !players.some(isOwn) && <p><Name player={{ name: own, kind: SeatKind.HUMAN }} /></p>}
    </PlayersFrame>
  );
}

function Table({ players, isOwn }: { players: readonly Player[]; isOwn: (player: Player) => boolean }) {
  const sure = players.filter(({ rating }) => rating && !rating.provisional);
  const provisional = players.filter(({ rating }) => rating?.provisional);
  const unrated = players.filter(({ rating }) => !rating);
  const scale = (sure.length > 0 ? sure : provisional).flatMap(intervalOf);
  const rows = (some: readonly Player[], isPlaced: boolean) =>
    some.map((player, index) => (
      <tr key={`${player.kind} ${player.name}`} class={isOwn(player) ? "own" : ""}>
        <td class="number">{isPlaced && index + 1}</td>
        <th scope="row">
          <Name player={player} /> {isOwn(player) && t("(you)")}
        </th>
        <td class="range">
          <Rating player={player} scale={scale} />
        </td>
        <td class="number">{player.games}</td>
        <td class="number">{player.wins}</td>
      </tr>
    ));
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              #
            </th>
            <th scope="col">{t("Player")}</th>
            <th scope="col">{t("Rating")}</th>
            <th scope="col" class="number">
              {t("Games")}
            </th>
            <th scope="col" class="number">
              {t("Wins")}
            </th>
          </tr>
        </thead>
        {sure.length > 0 && <tbody>{rows(sure, true)}</tbody>}
        {provisional.length > 0 && (
          <tbody>
            <tr class="group">
              <th colSpan={COLUMNS} scope="rowgroup">
                {t("Provisional, with too few games with the others")}
              </th>
            </tr>
            {rows(provisional, false)}
          </tbody>
        )}
        {unrated.length > 0 && <tbody>{rows(unrated, sure.length === 0 && provisional.length === 0)}</tbody>}
      </table>
      {scale.length > 0 && (
        <p class="note">{t("0 is the middle of all players; 400 points more are odds of 10 to 1 to be ahead. The true rating is within the bar with 95 % certainty.")}</p>
      )}
    </>
  );
}

function intervalOf({ rating }: Player): Interval[] {
  return rating && !rating.unknown ? [{ low: rating.low, middle: rating.value, high: rating.high }] : [];
}

function Rating({ player, scale }: { player: Player; scale: readonly Interval[] }) {
  if (player.rating?.unknown) return <span class="note">{t("too few games")}</span>;
  const [range] = intervals(intervalOf(player), scale);
  if (!player.rating || !range) return "–";
  const { low, high } = player.rating;
  return (
    <>
      <span class="value">
        {ratingOf(player.rating)} <span class="note">± {Math.round((high - low) / 2)}</span>
      </span>
      <Bar range={range} />
    </>
  );
}
