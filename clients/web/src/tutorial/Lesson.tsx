/** A step of the tutorial in a box over the board. */

import "./tutorial.css";

import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { go } from "../address";
import { Field } from "../board/Legend";
import { PATTERNS, Symbol } from "../board/symbols";
import type { Action } from "../gen/vinci/v1/game_pb";
import { listed, plural, t } from "../i18n/i18n";
import { isMyMove, state } from "../match/selectors";
import type { Table } from "../match/table";
import { leaveGame, prospects } from "../play/calls";
import { keepTutorial } from "./current";
import { type Lessons, loadLessons, type Step } from "./lessons";
import { useFreeCorner } from "./useFreeCorner";
import { objection, placeOf, withRead, wordsOf } from "./tutor";

/** Set by the step that is shown: why an action is not to be played now; empty if it is. */
export interface Guard {
  objection: (action: Action, isTried?: boolean) => string;
}

interface LessonProps {
  readonly table: Table;
  readonly guard: Guard;
}

export function Lesson(props: LessonProps) {
  const [lessons, setLessons] = useState<Lessons>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    loadLessons().then(setLessons, () => setProblem(t("This cannot be loaded. Try again when the server can be reached.")));
  }, []);
  if (problem) {
    return (
      <p class="lesson" role="alert">
        {problem}
      </p>
    );
  }
  const isWhole = props.table.model.past[0]?.revision === 0n;
  return lessons && isWhole ? <Box {...props} lessons={lessons} /> : null;
}

function Box({ table, guard, lessons }: LessonProps & { lessons: Lessons }) {
  const { model, dispatch } = table;
  const [read, setRead] = useState({ from: -1, to: -1 });
  /** The step at which it was folded; a new one unfolds it. */
  const [foldedAt, setFoldedAt] = useState(-1);
  const base = placeOf(lessons, model.past);
  const place = withRead(base, read);
  const step = lessons.steps[place.step];
  const isMine = isMyMove(model);
  const isFolded = foldedAt === place.step;
  const fold = (): void => setFoldedAt(isFolded ? -1 : place.step);
  const count = lessons.steps.length;
  const isLast = place.step === count - 1;

  useEffect(() => {
    guard.objection = (action, isTried) => {
      const text = objection(lessons, place, wordsOf(action));
      if (text && isTried) setFoldedAt(-1);
      return text;
    };
    return () => {
      guard.objection = () => "";
    };
  });
  const province = step?.province ?? "";
  useEffect(() => {
    if (province && isMine) dispatch({ kind: "select", province });
  }, [province, isMine, dispatch]);
  /** The civilization to take; its text in the list names provinces. */
  const slot = isMine ? Number(/^take (\d+)$/.exec(step?.wants ?? "")?.[1] ?? 0) : 0;
  const [named, setNamed] = useState<readonly string[]>([]);
  const asked = useRef(table);
  asked.current = table;
  useEffect(() => {
    setNamed([]);
    if (slot > 0) prospects(asked.current).then((found) => setNamed(found.find((one) => one.slot === slot)?.provinces ?? []), () => undefined);
  }, [slot]);
  const card = useRef<HTMLElement>(null);
  useFreeCorner(card, named, province, true);
  const wants = isMine ? step?.wants : "";
  useEffect(() => {
    if (!wants) return undefined;
    document.body.dataset["wants"] = wants; // tutorial.css marks what is to be used
    return () => {
      delete document.body.dataset["wants"];
    };
  }, [wants]);

  const goOn = (): void => {
    if (!isLast) setRead({ from: base.step, to: place.step + 1 });
    else {
      keepTutorial(undefined);
      // it would stay among the running matches
      leaveGame(table).catch(() => undefined);
      go("/");
    }
  };
  const canGoOn = isMine && !step?.wants;
  useSpace(() => (canGoOn ? goOn() : fold()));
  if (!step) return null;
  return (
    <section class={`lesson${isFolded ? " folded" : ""}`} aria-label={t("Tutorial")} ref={card}>
      <button class="lesson-head" aria-expanded={!isFolded} onClick={fold}>
        <h2>{t("{step} of {steps}: {title}", { step: place.step + 1, steps: count, title: step.title })}</h2>
        <span aria-hidden="true">{isFolded ? "▾" : "▴"}</span>
      </button>
      <div role="status" tabIndex={0}>
        {!isFolded && (
          <p>
            <Words text={step.text} />
          </p>
        )}
        {step.times > 1 && <p class="ask">{plural("{n} more", "{n} more", step.times - place.done)}</p>}
        {isLast && !isFolded && <p>{standing((state(model)?.seats ?? []).map(({ vp }) => vp), lessons.seat)}</p>}
      </div>
      {canGoOn && !isFolded && (
        <p class="others">
          <button class="act" onClick={goOn}>
            {isLast ? t("End the tutorial") : t("Continue")}
          </button>
          {isLast && <button onClick={fold}>{t("Play on")}</button>}
        </p>
      )}
      {!isMine && !isFolded && <p class="ask">{t("The others are playing …")}</p>}
    </section>
  );
}

/** Call a function when the space bar is pressed and nothing else takes it. */
function useSpace(pressed: () => void): void {
  const latest = useRef(pressed);
  latest.current = pressed;
  useEffect(() => {
    const taken = (event: KeyboardEvent): void => {
      const isFree = event.target === document.body || (event.target instanceof Element && event.target.matches(".play"));
      if (event.key !== " " || !isFree || event.defaultPrevented) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", taken);
    return () => document.removeEventListener("keydown", taken);
  }, []);
}

/** Return the scores of all seats, and whether that of the pupil is best. */
function standing(vp: readonly number[], seat: number): string {
  const own = vp[seat - 1] ?? 0;
  const others = vp.filter((_, place) => place !== seat - 1).sort((one, other) => other - one);
  const fields = { own, scores: listed(others.map(String)) };
  const [best = 0] = others;
  if (own > best) return t("You are ahead with {own} VP; the others have {scores}.", fields);
  if (own === best) return t("You share the lead with {own} VP; the others have {scores}.", fields);
  return t("You have {own} VP, the others {scores}.", fields);
}

/** A text of the tutorial with the signs of the map; codes of provinces, which the page does not show, are left out. */
function Words({ text }: { text: Step["text"] }) {
  return text.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? <Sign key={at} name={part} /> : part));
}

const SIGNS: Readonly<Record<string, ComponentChild>> = {
  port: <Symbol name="port" />,
  fort: <Symbol name="fort" />,
  neutral: (
    <>
      <rect x="-34" y="-46" width="68" height="92" rx="16" fill="var(--seat0)" />
      <Symbol name="pawn" />
    </>
  ),
};

function Sign({ name }: { name: string }) {
  const drawing = PATTERNS.has(name) ? <Field code={name} /> : SIGNS[name];
  if (!drawing) return null;
  return (
    <svg class="sign" viewBox="-52 -52 104 104" aria-hidden="true">
      {drawing}
    </svg>
  );
}
