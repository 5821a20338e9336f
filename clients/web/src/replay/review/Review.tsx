/** The review of a game that is seen again: its progress, then seats, and turns with what would have been better. Loaded when it is asked for. */

import "./review.css";

import { useEffect, useMemo, useState } from "preact/hooks";

import { matches } from "../../connection/clients";
import { failureOf } from "../../connection/errors";
import type { ReviewedPlayer, ReviewedTurn, ReviewProgress, ReviewSummary } from "../../gen/vinci/v1/match_pb";
import { decimal, mark, plural, t, translated } from "../../i18n/i18n";
import type { Names } from "../../match/names";
import { sentence } from "../../match/sentences";
import { SeatChip } from "../../panels/SeatChip";
import { type Film, type Remarks, stepOfRevision } from "../film";
import { arrowsOf, betterOf, type Grade, gradeOf, playedOf, verdictOf } from "./moves";

const GRADES: Readonly<Record<Grade, readonly [sign: string, text: string]>> = {
  good: ["✓", mark("Good turn")],
  costly: ["!", mark("Mistake")],
  even: ["≈", mark("About equal")],
};

/** Turns after which their pace tells how long the others take. */
const LEAST_MEASURED = 3;

interface Props {
  readonly film: Film;
  readonly names: Names;
  /** The own seat; 0 for none. */
  readonly seat: number;
  readonly step: number;
  readonly go: (step: number) => void;
  /** Show marks at the steps, and arrows on the board. */
  readonly show: (remarks: Remarks) => void;
}

interface Found {
  readonly progress: ReviewProgress | undefined;
  readonly turns: readonly ReviewedTurn[];
  readonly summary: ReviewSummary | undefined;
  readonly problem: string;
  /** Seconds that are left, about; undefined until that can be told. */
  readonly left: number | undefined;
}

const NOTHING: Found = { progress: undefined, turns: [], summary: undefined, problem: "", left: undefined };

/** Return the review of a film as far as it is; another try asks again. */
function useReview(film: Film, tries: number): Found {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      setFound(NOTHING);
      let begin: { readonly time: number; readonly done: number } | undefined;
      for await (const { kind: part } of matches.review(film.source ?? {}, { signal: stop.signal })) {
        if (part.case === "progress") {
          const { done, turns } = part.value;
          const time = performance.now();
          if (done > 0) begin ??= { time, done };
          const left = begin && done >= begin.done + LEAST_MEASURED ? ((time - begin.time) / (done - begin.done) / 1000) * (turns - done) : undefined;
          setFound((now) => ({ ...now, progress: part.value, left }));
        }
        if (part.case === "turn") setFound((now) => ({ ...now, turns: [...now.turns, part.value] }));
        if (part.case === "summary") setFound((now) => ({ ...now, summary: part.value }));
      }
    };
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setFound({ ...NOTHING, problem: failureOf(error).text });
    });
    return () => stop.abort();
  }, [film, tries]);
  return found;
}

export default function Review({ film, names, seat, step, go, show }: Props) {
  const [tries, setTries] = useState(0);
  const { progress, turns, summary, problem, left } = useReview(film, tries);
  const [chosen, setChosen] = useState(seat || 1);
  const steps = useMemo(() => turns.map(({ first }) => stepOfRevision(film, first)), [film, turns]);
  const open = (place: number): void => {
    go(steps[place] ?? 0);
    document.querySelector(".stage")?.scrollIntoView({ block: "nearest" }); // on a phone it is above the list
  };
  const at = turns.findIndex((turn, place) => step === steps[place] && turn.seat === chosen && gradeOf(turn));
  useEffect(() => {
    const marks = turns.flatMap((turn, place) => {
      const grade = turn.seat === chosen && gradeOf(turn);
      return grade ? [{ step: steps[place] ?? 0, grade }] : [];
    });
    const turn = turns[at];
    const said = turn ? [gradedOf(turn, names), betterOf(turn, names), noteOf(turn, names)].filter(Boolean) : [];
    show({ marks, arrows: turn && betterOf(turn, names) ? arrowsOf(turn, film.updates[step]?.state, names.board) : undefined, said });
  }, [show, film, names, turns, steps, chosen, step, at]);
  if (problem) {
    return (
      <section class="review" aria-label={t("Review")}>
        <p class="wrong" role="alert">
          {problem}
        </p>
        <button onClick={() => setTries(tries + 1)}>{t("Try again")}</button>
      </section>
    );
  }
  if (!summary) return <Progress progress={progress} left={left} />;
  const own = turns.flatMap((turn, place) => (turn.seat === chosen && gradeOf(turn) ? [{ turn, place }] : []));
  return (
    <section class="review" aria-labelledby="review">
      <div role="status">
        <h2 id="review">{t("Review")}</h2>
      </div>
      <Players players={sorted(summary.players, seat)} names={names} chosen={chosen} choose={setChosen} />
      <details>
        <summary>{t("What the figures mean")}</summary>
        <p>{sentence("reviewedBy", { simulations: summary.simulations })}</p>
      </details>
      {own.length === 0 && <p>{t("No turn of {who} was compared.", { who: names.seat(chosen) })}</p>}
      <ol>
        {own.map(({ turn, place }) => (
          <li key={place}>
            <Turn turn={turn} names={names} isShown={place === at} open={() => open(place)} />
          </li>
        ))}
      </ol>
      {summary.turningPoints.length > 0 && (
        <details>
          <summary>{t("Turning points, the greatest change first")}</summary>
          <ul>
            {summary.turningPoints.map((point) => {
              const turn = turns[point.turn];
              const [before, after] = [point.before, point.after].map((share) => Math.round(100 * share));
              const said = sentence("turningPoint", { round: turn?.round, who: turn?.seat, whom: point.seat, before, after }, names);
              return (
                <li key={point.turn}>
                  <button class="link" onClick={() => open(point.turn)}>
                    {said}
                  </button>
                </li>
              );
            })}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Return how long it takes, in minutes: turns take so differently long that seconds would be wrong by half. */
function timeLeft(seconds: number): string {
  return seconds < 60 ? t("less than a minute left") : t("about {n} min left", { n: Math.round(seconds / 60) });
}

function Progress({ progress, left }: { progress: ReviewProgress | undefined; left: number | undefined }) {
  const { ahead = 0, done = 0, turns = 0 } = progress ?? {};
  return (
    <section class="review" aria-label={t("Review")}>
      <p role="status">
        {ahead > 0 ? plural("{n} other game is reviewed first.", "{n} other games are reviewed first.", ahead) : t("The game is being reviewed …")}
      </p>
      <progress max={turns || 1} value={turns ? done : undefined} aria-label={t("Review")} />
      {ahead === 0 && (
        <p class="count">
          {turns > 0 && `${t("{done} of {number} turns reviewed", { done, number: turns })} · `}
          {left === undefined ? t("estimating the time left …") : timeLeft(left)}
        </p>
      )}
    </section>
  );
}

/** Return the players with the own seat first. */
function sorted(players: readonly ReviewedPlayer[], seat: number): readonly ReviewedPlayer[] {
  return [...players.filter((player) => player.seat === seat), ...players.filter((player) => player.seat !== seat)];
}

function Players({
  players,
  names,
  chosen,
  choose,
}: {
  players: readonly ReviewedPlayer[];
  names: Names;
  chosen: number;
  choose: (seat: number) => void;
}) {
  return (
    <table>
      <thead>
        <tr>
          {[t("Seat"), t("Accuracy"), t("Mistakes"), t("VP lost")].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {players.map(({ seat, turns, accuracy, mistakes, loss }) => (
          <tr key={seat}>
            <th scope="row">
              <button aria-pressed={seat === chosen} onClick={() => choose(seat)}>
                <SeatChip seat={seat} /> {names.player(seat)}
              </button>
            </th>
            <td>{turns ? Math.round(accuracy) : "–"}</td>
            <td>{turns ? t("{n} of {turns}", { n: mistakes, turns }) : "–"}</td>
            <td>{turns && loss ? decimal(loss.mean) : "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Return the grade of a turn with the verdict. */
function gradedOf(turn: ReviewedTurn, names: Names): string {
  return t("{word}: ", { word: translated(GRADES[gradeOf(turn) ?? "even"][1]) }) + verdictOf(turn, names);
}

/** Return what arrows on the board mean; empty without any. */
function noteOf(turn: ReviewedTurn, names: Names): string {
  const hasArrows = betterOf(turn, names) !== "" && turn.preferred?.actions.some((action) => action.startsWith("x "));
  return hasArrows ? t("The arrows show this one, not the one played.") : "";
}

function Turn({ turn, names, isShown, open }: { turn: ReviewedTurn; names: Names; isShown: boolean; open: () => void }) {
  const grade = gradeOf(turn);
  if (!grade) return null;
  const [sign] = GRADES[grade];
  const better = betterOf(turn, names);
  const note = noteOf(turn, names);
  return (
    <button class={`reviewed ${grade}`} aria-current={isShown ? "step" : undefined} onClick={open}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class="said">
        <b>{turn.round > 0 ? t("Round {round}", { round: turn.round }) : t("The draft")}</b> · {gradedOf(turn, names)}
      </span>
      <span class="moves">{playedOf(turn, names)}</span>
      {better && <span class="moves better">{better}</span>}
      {isShown && note && <small>{note}</small>}
    </button>
  );
}
