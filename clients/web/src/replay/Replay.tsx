/** A game shown step by step: the board, panes, and below them slider, turns and play. */

import "../panels/panels.css";
import "../match/match.css";
import "./replay.css";

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { REPLAY, REVIEW } from "../address";
import { Board } from "../board/Board";
import { useSettings } from "../frame";
import { mark, t, translated } from "../i18n/i18n";
import { useLater } from "../later";
import { useServerInfo } from "../lobby/server";
import type { Material } from "../match/load";
import type { Event } from "../match/model";
import type { Table } from "../match/table";
import { captionOf } from "../match/wording";
import { Panes } from "../panels/Panes";
import { PANES } from "../panels/registry";
import { Turn } from "../panels/Turn";
import { type Film, lastStep, modelAt, nextTurn, previousTurn, type Remarks, stepOf, turnAt, turnsOf } from "./film";

/** Panes that a recorded game has. */
const SHOWN: ReadonlySet<string> = new Set(["scores", "market", "log", "empires", "curve"]);
/** Milliseconds of a step that is played, by how quick. */
const SPEEDS = [
  [2_400, mark("slow")],
  [1_200, mark("usual")],
  [600, mark("quick")],
  [200, mark("very quick")],
] as const;
const USUAL = 1_200;
const NO_REMARKS: Remarks = { marks: [], arrows: undefined, said: [] };

type ReviewView = (typeof import("./review/Review"))["default"];

interface Props {
  readonly film: Film;
  readonly material: Material;
  /** The own seat; 0 for none. */
  readonly seat?: number;
  readonly children?: ComponentChildren;
}

export function Replay({ film, material, seat = 0, children }: Props) {
  const { settings } = useSettings();
  const [step, setStep] = useState(0);
  const [selected, setSelected] = useState("");
  const [isPlaying, setPlaying] = useState(() => location.hash === REPLAY);
  const [speed, setSpeed] = useState<number>(settings.pace || USUAL);
  const [Review, setReview] = useState<ReviewView>();
  const [remarks, setRemarks] = useState(NO_REMARKS);
  const hasReviews = useServerInfo(0)?.reviews && film.source !== undefined;
  const Notes = useLater(Boolean(film.notes), () => import("./notes/Notes"))?.default;
  const slider = useRef<HTMLInputElement>(null);
  const last = lastStep(film);
  const turns = useMemo(() => turnsOf(film), [film]);
  const model = useMemo(() => modelAt(film, step, selected), [film, step, selected]);
  const names = useMemo(() => material.names.of(film.match), [material, film]);
  const table: Table = {
    model,
    names,
    map: material.map,
    dispatch: (event: Event) => {
      if (event.kind === "select") setSelected(event.province);
    },
    token: undefined,
    lostSeat: 0,
    sit: () => undefined,
  };

  useEffect(() => slider.current?.focus(), [film]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (step >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setStep(step + 1), speed);
    return () => clearTimeout(timer);
  }, [isPlaying, step, last, speed]);

  const go = (to: number): void => {
    setPlaying(false);
    setStep(to);
  };
  const review = (): void => {
    import("./review/Review").then(
      ({ default: view }) => setReview(() => view),
      () => location.reload(), // after an update of the server: the page is loaded anew
    );
  };
  useEffect(() => {
    if (hasReviews && location.hash === REVIEW) review();
  }, [hasReviews]);
  const play = (): void => {
    if (!isPlaying && step >= last) setStep(0);
    setPlaying(!isPlaying);
  };
  const turn = turns[turnAt(turns, step)];
  const where = step === 0 ? t("The start") : captionOf(model.past, names);
  return (
    <>
      <div class="stage">
        <Board table={table} recap={remarks.arrows} />
      </div>
      <Panes table={table} panes={PANES.filter(({ name }) => SHOWN.has(name))}>
        <Turn table={table} />
        <div class="notes">
          {children}
          {Notes && <Notes film={film} names={names} step={step} />}
          {Review ? (
            <Review film={film} names={names} seat={seat} step={step} go={go} show={setRemarks} />
          ) : (
            hasReviews && <button onClick={review}>{t("Review this game")}</button>
          )}
        </div>
      </Panes>
      <section
        class="film"
        aria-label={t("Replay")}
        onKeyDown={(event) => {
          if (event.target !== slider.current || event.ctrlKey || event.metaKey || event.altKey) return;
          const to = stepOf(event.key, film, turns, step);
          if (to !== undefined) go(to);
          else if (event.key === " ") play();
          else return;
          event.preventDefault();
        }}
      >
        {remarks.said.length > 0 && (
          <div class="verdict" role="status">
            {remarks.said.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        )}
        <div class="buttons">
          <button onClick={() => go(previousTurn(turns, step))} disabled={step === 0} aria-label={t("Turn before")}>
            <Icon path="M3 2h3v12H3zM14 2v12L6 8z" />
          </button>
          <button onClick={() => go(Math.max(0, step - 1))} disabled={step === 0} aria-label={t("Step before")}>
            <Icon path="M12 2v12L4 8z" />
          </button>
          <button class="act" onClick={play} aria-label={isPlaying ? t("Pause") : t("Play it")}>
            <Icon path={isPlaying ? "M3 2h4v12H3zM9 2h4v12H9z" : "M3 1l11 7-11 7z"} />
          </button>
          <button onClick={() => go(Math.min(last, step + 1))} disabled={step >= last} aria-label={t("Next step")}>
            <Icon path="M4 2v12l8-6z" />
          </button>
          <button onClick={() => go(nextTurn(film, turns, step))} disabled={step >= last} aria-label={t("Next turn")}>
            <Icon path="M10 2h3v12h-3zM2 2v12l8-6z" />
          </button>
        </div>
        <div class="rail">
          <input
            ref={slider}
            type="range"
            min={0}
            max={last}
            value={step}
            aria-label={t("Step")}
            aria-valuetext={t("{step} of {last}: {where}", { step, last, where })}
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
          {remarks.marks.map((one) => (
            <button
              key={one.step}
              class={`mark ${one.grade}`}
              style={{ "--at": last > 0 ? one.step / last : 0 }}
              aria-hidden="true"
              tabIndex={-1} /* the turns of the review lead there, too */
              onClick={() => go(one.step)}
            />
          ))}
        </div>
        <span class="count">
          {t("{step} of {last}", { step, last })}
          {turn && turn.round > 0 && ` · ${t("Round {round}", { round: turn.round })}`}
        </span>
        <label>
          {t("Speed")}
          <select value={speed} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
            {SPEEDS.map(([milliseconds, text]) => (
              <option key={milliseconds} value={milliseconds}>
                {translated(text)}
              </option>
            ))}
          </select>
        </label>
      </section>
    </>
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
