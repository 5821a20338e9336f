/** Ratings and pairs of bots as in the report, which the server makes now and then. */

import { useEffect, useState } from "preact/hooks";

import { t } from "../i18n/i18n";
import { Bar, intervals } from "./Bar";
import { intervalIn, readStandings, shareOf, type Standings, toldRating } from "./standings";

const EVERY_MS = 30_000;

/** Ask for the standings of the report again and again; return the last. */
function useStandings(): Standings | undefined {
  const [standings, setStandings] = useState<Standings>();
  useEffect(() => {
    const ask = (): void => void readStandings().then((found) => found && setStandings(found));
    ask();
    const timer = window.setInterval(ask, EVERY_MS);
    return () => window.clearInterval(timer);
  }, []);
  return standings;
}

export function ReportStandings() {
  const standings = useStandings();
  if (!standings) return null;
  const { bots } = standings;
  const ranges = intervals(bots.map(({ rating }) => intervalIn(rating)));
  return (
    <section aria-labelledby="rated" class="league-rated" tabIndex={0}>
      <h2 id="rated">
        <a href="/league/report">{t("Full report")}</a>
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              #
            </th>
            <th scope="col">{t("Bot")}</th>
            <th scope="col">Elo</th>
            {bots.map(({ bot }, place) => (
              <th key={bot} scope="col" class="number">
                {place + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bots.map(({ bot, rating }, place) => {
            const [value, interval] = toldRating(rating);
            return (
              <tr key={bot}>
                <td class="number">{place + 1}</td>
                <th scope="row">{bot}</th>
                <td class="range">
                  <span class="value">{value}</span> <small class="value note">{interval}</small>
                  {ranges[place] && <Bar range={ranges[place]} />}
                </td>
                {bots.map(({ bot: other }) => (
                  <td key={other} class="number">
                    {shareOf(standings, bot, other)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="note">{t("Elo points with 95 % intervals; percentages of games ahead of the bot with that number.")}</p>
    </section>
  );
}
