/** The bots of a league: whether they are here, how long they think, and why they forfeited games. */

import { t } from "../i18n/i18n";
import { short } from "../lobby/words";
import { type Bot, rounded } from "./state";

export function Bots({ bots }: { bots: readonly Bot[] }) {
  const areRemote = bots.some((bot) => bot.connection);
  if (!areRemote && bots.every((bot) => bot.median_ms === null && !bot.forfeits)) return null;
  return (
    <section aria-labelledby="bots">
      <h2 id="bots">{t("Decisions and forfeits")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("Bot")}</th>
            {areRemote && <th scope="col">{t("Connection")}</th>}
            <th scope="col" class="number">
              {t("Half within")}
            </th>
            <th scope="col" class="number">
              {t("99 % within")}
            </th>
            <th scope="col">{t("Forfeits")}</th>
          </tr>
        </thead>
        <tbody>
          {bots.map((bot) => (
            <tr key={bot.bot}>
              <th scope="row">{bot.bot}</th>
              {areRemote && <td>{connection(bot)}</td>}
              <td class="number">{time(bot.median_ms)}</td>
              <td class="number">{time(bot.most_ms)}</td>
              <td>{bot.forfeits && <Forfeits {...bot.forfeits} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Forfeits({ reasons, last: { game, said } }: NonNullable<Bot["forfeits"]>) {
  const names: Record<string, string> = {
    start: t("did not start"),
    exit: t("ended early"),
    memory: t("too much memory"),
    output: t("too much output"),
    processes: t("too many processes"),
    cpu: t("too much CPU time"),
    clock: t("out of time"),
    refused: t("refused answers"),
    absent: t("away"),
  };
  const sorted = Object.entries(reasons).sort(([, one], [, other]) => other - one);
  return (
    <>
      {sorted.map(([reason, number]) => `${number} × ${names[reason] ?? reason}`).join(", ")}
      {said && (
        <p class="note">
          {game}: <samp>{said}</samp>
        </p>
      )}
    </>
  );
}

function connection({ connection, away }: Bot): string {
  switch (connection) {
    case "here":
      return t("connected");
    case "away":
      return t("away for {time}", { time: short(rounded(away ?? 0)) });
    case "never":
      return t("not yet connected");
    default:
      return t("on this machine");
  }
}

function time(milliseconds: number | null): string {
  if (milliseconds === null) return "–";
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}
