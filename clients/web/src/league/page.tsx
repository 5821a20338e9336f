/** A league that runs: progress, provisional standings and running games. The page only reads. */

import "./league.css";

import { useEffect, useState } from "preact/hooks";

import { Frame, Link, lostText } from "../frame";
import { language, plural, t } from "../i18n/i18n";
import { short } from "../lobby/words";
import { Bar, intervals } from "./Bar";
import { Bots } from "./Bots";
import { Ratings } from "./Ratings";
import { ReportStandings } from "./ReportStandings";
import { type Game, type Gate, intervalOf, type League, NoLeague, placed, readLeague, rounded, type Standing, wayOf } from "./state";

const EVERY_MS = 2000;

type Connection = "live" | "lost" | "none";

/** Ask for the league again and again, also when it is over, since its server stays while somebody looks; return it as last seen. */
function useLeague(): { league: League | undefined; connection: Connection } {
  const [league, setLeague] = useState<League>();
  const [connection, setConnection] = useState<Connection>("live");
  useEffect(() => {
    let timer: number | undefined;
    let isGone = false;
    const ask = async (): Promise<void> => {
      try {
        const found = await readLeague();
        if (isGone) return;
        setLeague(found);
        setConnection("live");
      } catch (error) {
        if (isGone) return;
        setConnection(error instanceof NoLeague ? "none" : "lost");
      }
      timer = window.setTimeout(() => void ask(), EVERY_MS);
    };
    void ask();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, []);
  return { league, connection };
}

export default function LeaguePage() {
  const { league, connection } = useLeague();
  const isServed = connection === "live";
  const isLost = connection === "lost" && !league?.complete;
  return (
    <Frame name="league" home={connection === "none" ? "/" : "/league"} heading={league ? `${t("League")} · ${league.name}` : t("League")} lost={isLost ? lostText() : ""}>
      {connection === "none" && <p>{t("No league runs here. This starts one: {command}", { command: "vinci tournament run FILE --web 8080" })}</p>}
      {league && (
        <div class={isLost ? "old" : ""}>
          <Progress league={league} />
          {league.start && <Opening league={league} />}
          {league.gate && <Evidence gate={league.gate} />}
          <div class="league-columns">
            <div>
              <Standings standings={league.provisional} left={league.left} />
              {league.games > 0 && isServed && <ReportStandings />}
              <Bots bots={league.bots ?? []} />
              <Ratings history={league.history} standings={league.provisional} />
            </div>
            <div>
              {!league.complete && <Games league={league} />}
              <Latest games={league.latest} isServed={isServed} />
            </div>
          </div>
        </div>
      )}
    </Frame>
  );
}

function Progress({ league: { format, games, planned, complete, seconds_left: left } }: { league: League }) {
  const isEndless = format === "ladder";
  return (
    <section class="league-progress">
      {!isEndless && <progress max={planned || 1} value={complete ? planned || 1 : games} aria-label={t("Games")} />}
      <p>
        <span role="status">{complete && t("The league is over.")}</span>{" "}
        {isEndless ? plural("{n} game", "{n} games", games) : t("{games} of {planned} games", { games, planned })}
        {left !== null && ` · ${t("about {time} left", { time: short(rounded(left)) })}`}
      </p>
    </section>
  );
}

/** How far a gate is from passing and from failing. */
function Evidence({ gate: { bot, share, low, high, better, passes_at: passes, worse, fails_at: fails, remaining } }: { gate: Gate }) {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  const ways = [
    [t("{bot} is better", { bot }), wayOf(better, passes)],
    [t("{bot} is not better", { bot }), wayOf(worse, fails)],
  ] as const;
  return (
    <section class="league-gate">
      {share !== null && (
        <p>
          {bot}: {percent(share)} ({percent(low)} – {percent(high)})
        </p>
      )}
      {ways.map(([text, way]) => (
        <label key={text}>
          <span>{text}</span> <meter value={way} /> {Math.round(100 * way)} %
        </label>
      ))}
      {remaining !== null && remaining > 0 && <p class="note">{t("At this rate about {n} blocks more.", { n: remaining })}</p>}
    </section>
  );
}

/** When a league starts that is open, and who is missing. */
function Opening({ league: { start, missing } }: { league: League }) {
  const known: Record<string, string> = {
    connected: t("The league starts when all entrants have connected."),
    command: t("The organiser starts the league."),
  };
  const time = Number.isNaN(Date.parse(start)) ? "" : new Date(start).toLocaleString(language());
  return (
    <p class="league-opening" role="status">
      {known[start] ?? t("The league starts at {time}.", { time })}{" "}
      {missing.length > 0 ? t("Not yet connected: {names}", { names: missing.join(", ") }) : t("All entrants have connected.")}
    </p>
  );
}

function Standings({ standings, left }: { standings: readonly Standing[]; left: readonly string[] }) {
  const ranges = intervals(standings.map(intervalOf));
  return (
    <section aria-labelledby="standings">
      <h2 id="standings">{t("Provisional standings")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              #
            </th>
            <th scope="col">{t("Bot")}</th>
            <th scope="col" class="number">
              {t("Skill")}
            </th>
            <th scope="col">{t("Rating")}</th>
            <th scope="col" class="number">
              {t("Games")}
            </th>
          </tr>
        </thead>
        <tbody>
          {standings.map((standing, index) => (
            <tr key={standing.bot}>
              <td class="number">{index + 1}</td>
              <th scope="row">
                {standing.bot} {left.includes(standing.bot) && <span class="note">({t("left the league")})</span>}
              </th>
              <td class="number">{standing.skill.toFixed(1)}</td>
              <td class="range">
                <span class="value">{`${standing.rating.toFixed(1)} ± ${(3 * standing.uncertainty).toFixed(1)}`}</span>
                {ranges[index] && <Bar range={ranges[index]} />}
              </td>
              <td class="number">{standing.games}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">{t("Bars show ratings ± three uncertainties; the skill is their lower end.")}</p>
    </section>
  );
}

function Games({ league: { running, missing } }: { league: League }) {
  return (
    <section aria-labelledby="running">
      <h2 id="running">{t("Running games")}</h2>
      {running.length === 0 && <p>{missing.length > 0 ? t("Not yet connected: {names}", { names: missing.join(", ") }) : t("No game runs.")}</p>}
      <ul class="games">
        {running.map(({ games, bots, seconds }) => (
          <li key={games[0]}>
            <strong>{games[0]}</strong>
            <span>{bots.join(", ")}</span>
            <span class="note">
              {t("for {time}", { time: short(rounded(seconds)) })}
              {games.length > 1 && ` · ${plural("{n} game in a row", "{n} games in a row", games.length)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Latest({ games, isServed }: { games: readonly Game[]; isServed: boolean }) {
  return (
    <section aria-labelledby="latest">
      <h2 id="latest">{t("Latest games")}</h2>
      <ul class="games">
        {games.map((game) => (
          <li key={game.game}>
            {isServed ? <Link to={`/league/games/${game.game}`}>{game.game}</Link> : game.game}
            <span>{placed(game).map((seat) => told(game, seat)).join(", ")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function told({ bots, ranks, vp, forfeits }: Game, seat: number): string {
  const left = forfeits.includes(seat) ? ` (${t("left the game")})` : "";
  return `${ranks[seat] ?? ""}. ${bots[seat] ?? ""} ${t("{n} VP", { n: vp[seat] ?? 0 })}${left}`.replaceAll(" ", "\u00a0");
}
