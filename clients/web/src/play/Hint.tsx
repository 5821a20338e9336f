/** A hint for who has not finished a game in this browser: what a decision is about, and what would be good, once for each. */

import "../tutorial/tutorial.css";

import { create } from "@bufbuild/protobuf";
import { useEffect, useRef, useState } from "preact/hooks";

import { useSettings } from "../frame";
import { type Action, ActionSchema, type Prospect } from "../gen/vinci/v1/game_pb";
import { t } from "../i18n/i18n";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { pawns } from "../match/wording";
import { hintOf, type HintName, keepSeen, wasSeen } from "../tutorial/hints";
import { loadLessons } from "../tutorial/lessons";
import { useFreeCorner } from "../tutorial/useFreeCorner";
import * as calls from "./calls";
import { SPIES_COST, targetAt, targetsOf } from "./choice";
import { places } from "./plan";
import type { Decision, Play } from "./usePlay";
import { goal } from "./useRecap";
import { priceIn, prospectOf } from "./wording";

/** Hints with an example, which the server suggests. */
const WITH_EXAMPLE: ReadonlySet<HintName> = new Set(["draft", "entry", "conquer"]);

export function Hint({ table, play }: { table: Table; play: Play }) {
  const { model } = table;
  const { change } = useSettings();
  const { decision } = play;
  const revision = model.shown?.revision ?? 0n;
  const [texts, setTexts] = useState<Readonly<Record<HintName, string>>>();
  const [, drawAgain] = useState(0);
  const [example, setExample] = useState("");
  const [turned, setTurned] = useState<HintName>();
  const card = useRef<HTMLElement>(null);
  const shown = useRef({ revision, names: new Set<HintName>() });

  const name = hintOf(model, decision?.choice.mode);
  const isNew = name !== undefined && !wasSeen(name);
  useEffect(() => {
    if (isNew && !texts) loadLessons().then(({ hints }) => setTexts(hints), () => undefined);
  }, [isNew, texts]);
  const isDeciding = decision !== undefined;
  useEffect(() => {
    const last = shown.current;
    if (isDeciding && last.revision !== revision) {
      keepSeen(last.names); // something was played since they were shown
      shown.current = { revision, names: new Set() };
      drawAgain((count) => count + 1);
    }
    if (name) shown.current.names.add(name);
  }, [name, revision, isDeciding]);
  const targets = decision ? targetedBy(decision) : [];
  const attacked = (model.shown?.events ?? []).flatMap(({ kind }) => (kind.case === "conquered" ? [kind.value.province] : []));
  useFreeCorner(card, [...targets, ...attacked, ...example.split(" ")], model.selected || example, isNew && texts !== undefined);
  if (!isNew || !texts) return null;
  const isRead = decision?.choice.mode === "conquer" && targets.includes(model.selected);
  const isAboutLand = targets.length > 0 || name === "wait" || name === "early";
  const isOpen = (turned === name) === isAboutLand;
  const kinds = ["lesson", isRead && "read", !isOpen && "line"].filter(Boolean); // a phone folds it to one line
  return (
    <section class={kinds.join(" ")} aria-label={t("Hint")} ref={card}>
      <div class="told">
        <button class="unfold" aria-expanded={isOpen} aria-label={t("Hint")} onClick={() => setTurned(turned === name ? undefined : name)}>
          {isOpen ? "▴" : "▾"}
        </button>
        <p role="status">{texts[name]}</p>
        {name === "draft" && <p>{goal(state(model)?.target ?? 0)}</p>}
        {WITH_EXAMPLE.has(name) && !model.match?.noAdvice && <Example key={String(revision)} table={table} play={play} name={name} show={setExample} />}
      </div>
      <p class="others">
        <button
          onClick={() => {
            keepSeen([name]);
            drawAgain((count) => count + 1);
          }}
        >
          {t("Understood")}
        </button>
        <button onClick={() => change({ hints: false })}>{t("No more hints")}</button>
      </p>
    </section>
  );
}

/** Return the provinces that a decision is about. */
function targetedBy({ choice, legal }: Decision): readonly string[] {
  if (choice.mode === "conquer") return targetsOf(legal).map(({ province }) => province);
  return choice.plan ? places(choice.plan, legal) : [];
}

interface ExampleProps {
  readonly table: Table;
  readonly play: Play;
  readonly name: HintName;
  /** Called with the provinces that the example is about, with spaces between them. */
  readonly show: (provinces: string) => void;
}

/** What would be good, and why. */
function Example({ table, play, name, show }: ExampleProps) {
  const [found, setFound] = useState<{ action: Action; isPlayedOut: boolean } | "none">();
  const [isChosen, setIsChosen] = useState(false);
  const asked = useRef({ table, name });
  useEffect(() => {
    const { table, name } = asked.current;
    let isGone = false;
    calls.suggestion(table, undefined).then(
      ({ revision, action, advice }) => {
        if (isGone || revision !== table.model.shown?.revision) return;
        const shown = (action?.kind.case === "peace" && conquestIn(advice?.plan ?? [])) || action;
        const isFit = shown && (name === "draft" || shown.kind.case === "conquer"); // what is about conquests has no other example
        setFound(isFit ? { action: shown, isPlayedOut: (advice?.simulations ?? 0) > 0 } : "none");
      },
      () => !isGone && setFound("none"), // the hint does without it
    );
    return () => {
      isGone = true;
    };
  }, []);
  const about = found && found !== "none" ? placesOf(found.action, play.decision?.prospects) : "";
  useEffect(() => {
    show(about);
    return () => show("");
  }, [about, show]);
  if (!found) return <p class="example ask">{t("The server is thinking …")}</p>;
  const text = found !== "none" && exampleOf(found.action, found.isPlayedOut, table, play);
  if (!text) return null;
  return (
    <p class="example">
      {text}{" "}
      {!isChosen && (
        <button
          onClick={() => {
            play.choose(found.action);
            setIsChosen(true);
          }}
        >
          {t("Choose it")}
        </button>
      )}
    </p>
  );
}

/** Return the provinces that an action would conquer, with spaces between them; of a civilization those that it could take. */
function placesOf({ kind }: Action, prospects: readonly Prospect[] = []): string {
  if (kind.case === "conquer") return kind.value.province;
  return (prospects.find(({ slot }) => kind.case === "take" && slot === kind.value.slot)?.provinces ?? []).join(" ");
}

/** Return the first conquest of a plan (docs/notation.md), before which there may be a peace. */
function conquestIn(plan: readonly string[]): Action | undefined {
  const [, province, spy] = plan.map((step) => /^x ([A-Z]{3})( spy)?$/.exec(step)).find(Boolean) ?? [];
  return province ? create(ActionSchema, { kind: { case: "conquer", value: { province, spies: spy !== undefined } } }) : undefined;
}

function exampleOf({ kind }: Action, isPlayedOut: boolean, { model, names }: Table, { decision }: Play): string {
  if (!decision) return "";
  if (kind.case === "conquer") {
    const { province, spies } = kind.value;
    const target = targetAt(decision.legal, province);
    if (!target) return "";
    const fields = { province: names.provinceObject(province), pawns: spies ? t("{pawns} by Spies", { pawns: pawns(SPIES_COST) }) : pawns(target.cost), vp: target.worth };
    if (isPlayedOut) return t("For example {province} for {pawns}: it did best when the server played the game on to its end.", fields);
    if (target.worth > 0) return t("For example {province}, because it costs {pawns} and is worth {vp} VP at once.", fields);
    return t("For example {province}, because it costs {pawns} and leads on to others.", fields);
  }
  const number = kind.case === "take" ? kind.value.slot : 0;
  const market = state(model)?.market ?? [];
  const slot = market[number - 1];
  if (!slot) return "";
  const fields = { civilization: names.civilization(slot.traits), pawns: pawns(slot.pawns), price: priceIn(market, number) };
  if (isPlayedOut) {
    const prospect = decision.prospects.find((one) => one.slot === number);
    const best = t("For example {civilization}: it did best when the server played the game on to its end.", fields);
    return prospect ? `${best} ${prospectOf(prospect, names)}` : best;
  }
  if (fields.price <= 0) return t("For example {civilization}, because it brings {pawns} and costs nothing.", fields);
  return t("For example {civilization}, because it brings {pawns} for {price} VP.", fields);
}
