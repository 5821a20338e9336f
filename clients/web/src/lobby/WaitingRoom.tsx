/** A match that has not started: its seats, who sits down, who is invited; its host sets seats and starts it. */

import "./lobby.css";

import { useEffect, useRef, useState } from "preact/hooks";

import { go } from "../address";
import { hostTokenOf, type Seat } from "../connection/access";
import { failureOf } from "../connection/errors";
import { useSettings } from "../frame";
import { type Match, type MatchSeat, SeatKind } from "../gen/vinci/v1/lobby_pb";
import { plural, t } from "../i18n/i18n";
import { SeatChip } from "../panels/SeatChip";
import { About } from "../tutorial/About";
import { isNewcomer } from "../tutorial/hints";
import { Invitation, isShared } from "./Invitation";
import { seatWords, wordOf } from "./request";
import { join, leave, setSeat, start } from "./seating";
import { useServerInfo } from "./server";
import { kind, openSeats, player, readiness, told } from "./words";
import { You } from "./You";

export function WaitingRoom({ match, seat, sit }: { match: Match; seat: Seat | undefined; sit: (seat: Seat | undefined) => void }) {
  const { settings } = useSettings();
  const info = useServerInfo(0);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isHost = hostTokenOf(match.matchId) !== undefined;
  const open = openSeats(match);
  const about = isNewcomer() && <About isAside />;
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setProblem("");
    work().then(
      () => setBusy(false),
      (error: unknown) => {
        setBusy(false);
        setProblem(failureOf(error).text);
      },
    );
  };
  const take = (wanted: number): void => run(async () => sit(await join(match.matchId, settings.name, wanted)));
  return (
    <div class="room">
      <section class="card" aria-labelledby="room">
        <h2 id="room" ref={heading} tabIndex={-1}>
          {t("Waiting room")}
        </h2>
        <p role="status">
          {open > 0
            ? `${plural("{n} seat is still free.", "{n} seats are still free.", open)} ${match.startWhenFull ? t("As soon as all are taken, the game begins by itself.") : t("When all are taken, whoever made the match starts the game.")}`
            : isHost
              ? t("Everybody is here. Start the game, or wait for those who come.")
              : t("Everybody is here; the game starts in a moment, or when its host says so.")}
        </p>
        {!seat && open > 0 && <You />}
        <ul class="room-seats">
          {match.seats.map((one) => (
            <li key={one.seat}>
              <SeatChip seat={one.seat} />
              <span class="who">
                {isHost && !one.taken && info ? (
                  <SeatKindChoice seat={one} bots={info.bots} choose={(word) => run(() => setSeat(match.matchId, one.seat, word))} />
                ) : (
                  player(one)
                )}
                {one.seat === seat?.seat && ` ${t("(you)")}`}
              </span>
              <span class="ready">{one.kind === SeatKind.BOT && one.connected ? t("computer player") : readiness(one)}</span>
              {!seat && open > 1 && !one.taken && one.kind === SeatKind.HUMAN && (
                <button disabled={isBusy} onClick={() => take(one.seat)}>
                  {t("Sit down at seat {seat}", { seat: one.seat })}
                </button>
              )}
            </li>
          ))}
        </ul>
        {problem && (
          <p class="wrong" role="alert">
            {problem}
          </p>
        )}
        <div class="acts">
          {!seat && open > 0 && (
            <button class="act" disabled={isBusy} onClick={() => take(0)}>
              {t("Take a seat")}
            </button>
          )}
          {isHost && open === 0 && (
            <button class="act" disabled={isBusy} onClick={() => run(() => start(match.matchId))}>
              {t("Start the game")}
            </button>
          )}
          {seat && (
            <button
              disabled={isBusy}
              onClick={() =>
                run(async () => {
                  await leave(match.matchId);
                  sit(undefined);
                })
              }
            >
              {t("Leave the seat")}
            </button>
          )}
          <button onClick={() => go("/")}>{seat ? t("To the matches (keep the seat)") : t("To the matches")}</button>
        </div>
      </section>
      {!isHost && about}
      {(isHost || isShared(location.href)) && <Invitation path={`/m/${match.matchId}`} />}
      {isHost && about}
      <section class="card" aria-labelledby="rules-of">
        <h2 id="rules-of">{t("About it")}</h2>
        <dl>
          {told(match, info?.matchFields ?? [], true).map(([name, text]) => (
            <>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </>
          ))}
        </dl>
      </section>
    </div>
  );
}

/** A free seat as its host sees it: somebody else can be asked for. */
function SeatKindChoice({ seat, bots, choose }: { seat: MatchSeat; bots: readonly string[]; choose: (word: string) => void }) {
  const word = wordOf(seat);
  const words = seatWords(bots);
  return (
    <select
      aria-label={t("Who sits at seat {seat}", { seat: seat.seat })}
      value={word}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {(words.includes(word) ? words : [word, ...words]).map((one) => (
        <option key={one} value={one}>
          {kind(one)}
        </option>
      ))}
    </select>
  );
}
