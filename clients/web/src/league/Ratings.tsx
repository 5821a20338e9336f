/** The ratings of the best bots over the games, as a chart and as a table. */

import { plural, t } from "../i18n/i18n";
import { Lines } from "../panels/Lines";
import { ticks } from "../panels/scale";
import { columns, type History, place, points, type Standing } from "./state";

export function Ratings({ history: { games, bots }, standings }: { history: History; standings: readonly Standing[] }) {
  const lines = bots.map(({ bot, ratings }) => ({ number: place(standings, bot), points: points(games, ratings) }));
  const values = lines.flatMap(({ points }) => points.map(([, rating]) => rating));
  if (values.length === 0) return null;
  const told = bots.map(({ bot, ratings }) => `${bot} ${shown(ratings.at(-1))}`).join(", ");
  const shownAt = columns(games);
  return (
    <section aria-labelledby="ratings">
      <h2 id="ratings">{t("Ratings over games")}</h2>
      <Lines
        label={`${t("Ratings over games")}: ${told}`}
        lines={lines}
        across={ticks(games[0] ?? 0, games.at(-1) ?? 0, 6)}
        up={ticks(Math.floor(Math.min(...values)), Math.ceil(Math.max(...values)), 5)}
      />
      <details>
        <summary>{t("As a table")}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("Bot")}</th>
              {shownAt.map((at) => (
                <th key={at} scope="col" class="number">
                  {plural("{n} game", "{n} games", games[at] ?? 0)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bots.map(({ bot, ratings }) => (
              <tr key={bot}>
                <th scope="row">
                  {place(standings, bot)} {bot}
                </th>
                {shownAt.map((at) => (
                  <td key={at} class="number">
                    {shown(ratings[at])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function shown(rating: number | null | undefined): string {
  return rating?.toFixed(1) ?? "–";
}
