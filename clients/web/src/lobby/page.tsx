/** The lobby: a game at once, a new match, a seat by code, and the matches of the server. */

import "./lobby.css";

import { useEffect, useState } from "preact/hooks";

import { go, goAnew } from "../address";
import { failureOf } from "../connection/errors";
import { Frame, Link, lostText, useSettings } from "../frame";
import { type GetServerInfoResponse, type Match, type MatchField, MatchStatus } from "../gen/vinci/v1/lobby_pb";
import { mark, plural, t, translated } from "../i18n/i18n";
import players from "../i18n/players.json";
import { SeatChip } from "../panels/SeatChip";
import { About } from "../tutorial/About";
import { isOfTutorial } from "../tutorial/current";
import { isNewcomer } from "../tutorial/hints";
import { Access } from "./Access";
import type { Create } from "./Create";
import { Invitation } from "./Invitation";
import { LENGTHS, LEVELS, quickForm, TARGET } from "./request";
import { join, make, takeOver } from "./seating";
import { type Matches, NEEDS_ACCESS, useMatches, useServerInfo } from "./server";
import { age, openSeats, player, status, told } from "./words";
import { DeviceQuestion, Devices, You } from "./You";

const FILTERS: readonly (readonly [MatchStatus, string])[] = [
  [MatchStatus.UNSPECIFIED, mark("all matches")],
  [MatchStatus.OPEN, mark("open ones")],
  [MatchStatus.RUNNING, mark("running ones")],
  [MatchStatus.OVER, mark("finished ones")],
];
/** Computer players of a quick game. */
const OPPONENTS = 3;

export default function LobbyPage() {
  const [tries, setTries] = useState(0);
  const [filter, setFilter] = useState(MatchStatus.UNSPECIFIED);
  const found = useMatches(filter, tries);
  const { failure } = found;
  const isLost = failure !== undefined;
  const info = useServerInfo(isLost ? -1 : tries); // asked again when the connection is back
  const { own = [], matches = [] } = found.found ?? {};
  const fields = info?.matchFields ?? [];
  const waiting = matches.filter(isWaiting).length;
  const begins = isNewcomer() && own.length === 0;
  const turns = own.filter(({ yourTurn }) => yourTurn).length;
  useEffect(() => {
    document.title = turns > 0 ? `(${turns}) Vinci` : "Vinci";
    return () => {
      document.title = "Vinci";
    };
  }, [turns]);
  if (failure && NEEDS_ACCESS.has(failure.reason)) {
    return (
      <Frame name="lobby" heading={t("Matches")}>
        <Access failure={failure} entered={() => setTries(tries + 1)} />
      </Frame>
    );
  }
  return (
    <Frame name="lobby" heading={t("Matches")} lost={failure && (failure.isGone || found.found ? lostText() : failure.text)}>
      <DeviceQuestion answered={() => setTries(tries + 1)} />
      {own.length > 0 && (
        <section class="list own" aria-labelledby="own">
          <h2 id="own">{t("Your matches")}</h2>
          <ul class="matches">
            {own.map(({ match, seat, yourTurn }) => match && <Row key={match.matchId} match={match} fields={fields} seat={seat} isTurn={yourTurn} />)}
          </ul>
        </section>
      )}
      <div class={`lobby-columns${waiting > 0 ? " waits" : ""}`}>
        <div class="make">
          {begins && <About />}
          <You />
          <Devices key={tries} isLost={isLost} />
          {info && <Quick info={info} isLost={isLost} />}
          {info && <NewMatch info={info} isLost={isLost} />}
          <TakeOver isLost={isLost} />
          <ul class="links">
            {info?.ratings && (
              <li>
                <Link to="/players">{t("Players and their ratings")}</Link>
              </li>
            )}
            <li>
              <Link to="/r">{t("Replay a record from a file")}</Link>
            </li>
          </ul>
          {!begins && <About />}
        </div>
        <div class="make found">
          <List found={found} fields={fields} waiting={waiting} filter={filter} choose={setFilter} />
          <Invitation path="/" />
        </div>
      </div>
    </Frame>
  );
}

function Quick({ info, isLost }: { info: GetServerInfoResponse; isLost: boolean }) {
  const { settings } = useSettings();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [target, setTarget] = useState(TARGET);
  const levels = LEVELS.filter((level) => info.bots.includes(level));
  if (levels.length === 0) return null;
  const begin = async (level: (typeof LEVELS)[number]): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      const { matchId } = await make(quickForm(level, OPPONENTS, target), settings.name);
      await join(matchId, settings.name);
      go(`/m/${matchId}`);
    } catch (error) {
      setProblem(failureOf(error).text);
      setBusy(false);
    }
  };
  return (
    <section class="card quick" aria-labelledby="quick">
      <h2 id="quick">{t("Quick game")}</h2>
      <p>{t("A new game at once, against three computer players of the level that you choose.")}</p>
      <select aria-label={t("Length")} value={target} onChange={({ currentTarget }) => setTarget(Number(currentTarget.value))}>
        {LENGTHS.map(([vp, n]) => (
          <option key={vp} value={vp}>
            {t("to {target} VP, about {n} min", { target: vp, n })}
          </option>
        ))}
      </select>
      <ul>
        {levels.map((level) => (
          <li key={level}>
            <button class="act" disabled={isBusy || isLost} aria-describedby={`about-${level}`} onClick={() => void begin(level)}>
              {translated(players.levels[level].title)}
            </button>
            <span id={`about-${level}`}>{translated(players.levels[level].about)}</span>
          </li>
        ))}
      </ul>
      {problem && <Wrong text={problem} />}
    </section>
  );
}

/** The form for a new match, which is loaded when it is opened. */
function NewMatch(props: { info: GetServerInfoResponse; isLost: boolean }) {
  const [Form, setForm] = useState<typeof Create>();
  return (
    <details
      class="card"
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open || Form) return;
        import("./Create").then(
          ({ Create }) => setForm(() => Create),
          () => {
            currentTarget.open = false;
            goAnew("/");
          },
        );
      }}
    >
      <summary>{t("New match")}</summary>
      {Form && <Form {...props} />}
    </details>
  );
}

function TakeOver({ isLost }: { isLost: boolean }) {
  const { settings } = useSettings();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  return (
    <details class="card">
      <summary>{t("Take over a seat from another device")}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          takeOver(text, settings.name).then(
            (matchId) => go(`/m/${matchId}`),
            (error: unknown) => setProblem(failureOf(error).text),
          );
        }}
      >
        <label>
          {t("Code of the seat")}{" "}
          <input
            value={text}
            required
            autocapitalize="off"
            autocomplete="off"
            spellcheck={false}
            aria-invalid={problem !== ""}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <p>{t("The other device shows it when it hands the seat over.")}</p>
        {problem && <Wrong text={problem} />}
        <button class="act" disabled={isLost}>
          {t("Take the seat over")}
        </button>
      </form>
    </details>
  );
}

function Wrong({ text }: { text: string }) {
  return (
    <p class="wrong" role="alert">
      {text}
    </p>
  );
}

function isWaiting(match: Match): boolean {
  return match.status === MatchStatus.OPEN && openSeats(match) > 0;
}

interface Listed {
  readonly found: Matches;
  readonly fields: readonly MatchField[];
  readonly waiting: number;
  readonly filter: MatchStatus;
  readonly choose: (filter: MatchStatus) => void;
}

function List({ found: { found, failure, more }, fields, waiting, filter, choose }: Listed) {
  const { own = [], matches, hasMore } = found ?? {};
  return (
    <section class="list" aria-labelledby="all" aria-busy={!matches && !failure}>
      <div class="list-head">
        <h2 id="all">{own.length > 0 ? t("Other matches of this server") : t("Matches of this server")}</h2>
        <label>
          <span class="hidden">{t("Show")}</span>
          <select value={filter} onChange={(event) => choose(FILTERS[event.currentTarget.selectedIndex]?.[0] ?? filter)}>
            {FILTERS.map(([code, text]) => (
              <option key={code} value={code}>
                {translated(text)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p role="status" class="waiting">
        {waiting > 0 && plural("{n} match waits for players", "{n} matches wait for players", waiting)}
      </p>
      {matches?.length === 0 && <p>{own.length > 0 ? t("There are no others.") : t("There are no matches yet.")}</p>}
      <ul class="matches">{matches?.map((match) => <Row key={match.matchId} match={match} fields={fields} />)}</ul>
      {hasMore && <button onClick={more}>{t("More matches")}</button>}
    </section>
  );
}

interface RowProps {
  readonly match: Match;
  readonly fields: readonly MatchField[];
  /** The own seat; 0 in the list of others. */
  readonly seat?: number;
  readonly isTurn?: boolean;
}

function Row({ match, fields, seat: own = 0, isTurn = false }: RowProps) {
  const choices = isOfTutorial(match) ? [t("Tutorial")] : told(match, fields, false).map(([name, text]) => t("{word}: ", { word: name }) + text);
  const isOpen = isWaiting(match);
  const rank = match.ranks[own - 1];
  return (
    <li class={isTurn ? "turn-here" : isOpen ? "open" : ""}>
      <ul class="row-seats">
        {match.seats.map((seat) => (
          <li key={seat.seat}>
            <SeatChip seat={seat.seat} /> {player(seat)}
            {match.vp.length > 0 && <span class="vp"> {seat.left ? t("left the game") : t("{n} VP", { n: match.vp[seat.seat - 1] ?? 0 })}</span>}
          </li>
        ))}
      </ul>
      <Link to={`/m/${match.matchId}`} label={[...match.seats.map(player), match.matchId].join(", ")}>
        {match.matchId}
      </Link>
      <span class="status">
        {isTurn && <b>{t("Your move.")} </b>}
        {status(match)}
        {own > 0 && match.status === MatchStatus.RUNNING && ` · ${t("play on")}`}
        {rank && <b>{" · "}{t("Your place: {rank} of {seats}.", { rank, seats: match.seats.length })}</b>}
      </span>
      <span class="age">{age(Date.now() / 1000 - Number(match.createTime))}</span>
      {choices.length > 0 && <span class="choices">{choices.join(" · ")}</span>}
    </li>
  );
}
