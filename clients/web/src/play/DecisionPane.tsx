/** The decision at hand, always at the same place; and what can be done at any moment. */

import "./play.css";

import { useEffect, useRef, useState } from "preact/hooks";

import { plural, t, translated } from "../i18n/i18n";
import { useLater } from "../later";
import { isMyMove, isOver, state } from "../match/selectors";
import type { Table } from "../match/table";
import { WithRules } from "../rules/links";
import { explained } from "../tips";
import { AbsentPlace } from "./AbsentPlace";
import { modesOf, withMode } from "./choice";
import { Menu } from "./Menu";
import { MODES } from "./modes";
import { News } from "./News";
import { Preview } from "./Preview";
import { Proposals } from "./Proposals";
import { Suggest } from "./Suggest";
import type { Decision, Play } from "./usePlay";
import type { Recap } from "./useRecap";
import { Watching } from "./Watching";
import { actOf, FIRST, MODE_NAMES } from "./wording";

export function DecisionPane({ table, play, recap }: { table: Table; play: Play; recap: Recap }) {
  const { model } = table;
  const { decision } = play;
  const [isFolded, setIsFolded] = useState(false);
  const [hasMenu, setHasMenu] = useState(false);
  const isMine = isMyMove(model);
  useEffect(() => {
    setIsFolded(false);
    const tapped = ({ target }: Event): void => {
      if (target instanceof Element && target.closest(".tabs")) setIsFolded(true); // the pane is below the sheet
    };
    document.addEventListener("click", tapped);
    return () => document.removeEventListener("click", tapped);
  }, [isMine]);
  const pane = useKeptFocus(String(model.shown?.revision));
  const ending = useLater(isOver(model), () => import("./Over"));
  if (isOver(model)) return ending ? <ending.Over table={table} play={play} /> : null;
  if (model.seat === 0) return <Watching table={table} />;
  return (
    <div class={`play${isFolded ? " folded" : ""}`} ref={pane} tabIndex={-1} data-revision={model.shown?.revision}>
      <button class="fold" aria-expanded={!isFolded} onClick={() => setIsFolded(!isFolded)}>
        <span class="hidden">{t("Show what you can do")}</span>
      </button>
      <div class="body">
        <Proposals table={table} play={play} />
        {decision ? <Chooser table={table} play={play} decision={decision} /> : <Waiting table={table} play={play} />}
        <Suggest table={table} play={play} />
        <AbsentPlace table={table} play={play} hasMenu={hasMenu} />
        {hasMenu && <Menu table={table} play={play} />}
      </div>
      <div class="outlook" role="group" aria-label={t("Result")} aria-live="polite" tabIndex={0}>
        {play.notice && (
          <p class="bad" role="alert">
            <WithRules text={play.notice} />
          </p>
        )}
        {recap.isShown ? <News recap={recap} /> : decision && <Preview table={table} decision={decision} />}
      </div>
      <Acts table={table} play={play} recap={recap} hasMenu={hasMenu} setHasMenu={setHasMenu} />
    </div>
  );
}

/** What can be decided about, and the choice among it. */
function Chooser({ table, play, decision }: { table: Table; play: Play; decision: Decision }) {
  const { model } = table;
  const { legal, choice, choose } = decision;
  const modes = modesOf(legal);
  const View = MODES[choice.mode];
  const active = state(model)?.seats[model.seat - 1]?.active;
  const hasReserve = choice.mode === "conquer" || choice.mode === "abandon" || choice.mode === "peace";
  return (
    <>
      <p class="prompt">
        <b>{translated(MODE_NAMES[choice.mode])}</b>
        {hasReserve && active && <span {...explained(t("With pawns in hand you conquer. What is left at the end of the conquests is placed in your provinces."))}>{plural("{n} pawn in hand", "{n} pawns in hand", active.reserve)}</span>}
      </p>
      {modes.length > 1 && (
        <div class="modes" role="group" aria-label={t("What to decide about")}>
          {modes.map((mode) => (
            <button key={mode} data-mode={mode} aria-pressed={mode === choice.mode} onClick={() => choose(withMode(choice, mode, legal))}>
              {translated(MODE_NAMES[mode])}
            </button>
          ))}
        </div>
      )}
      <View table={table} decision={decision} second={play.act} />
    </>
  );
}

/** Why nothing can be decided now. */
function Waiting({ table: { model, names }, play }: { table: Table; play: Play }) {
  const seat = model.match?.seats[model.seat - 1];
  const position = state(model);
  if (seat?.substituted) return <p class="ask">{t("A substitute plays for you.")}</p>;
  if (model.match?.paused) return <p class="ask">{t("The game is paused.")}</p>;
  if (play.isBusy || !position || position.seatToAct === model.seat) return <p class="ask">{t("One moment …")}</p>;
  return <p class="ask">{t("It is the move of {who}.", { who: names.seat(position.seatToAct) })}</p>;
}

interface ActsProps {
  readonly table: Table;
  readonly play: Play;
  readonly recap: Recap;
  /** Whether what is needed rarely is shown. */
  readonly hasMenu: boolean;
  readonly setHasMenu: (hasMenu: boolean) => void;
}

/** The button that acts, named after what it does, and those for taking back, a suggestion, what happened, and the rest. */
function Acts({ table, play, recap, hasMenu, setHasMenu }: ActsProps) {
  const { model, names } = table;
  const { decision } = play;
  const market = state(model)?.market ?? [];
  const cost = decision?.preview?.effect?.cost.reduce((sum, item) => sum + item.pawns, 0);
  const isRefused = decision?.choice.mode === "conquer" && decision.preview?.refusal !== undefined;
  const isUnwanted = decision?.action !== undefined && Boolean(table.objection?.(decision.action));
  const name = decision?.action && !isRefused && actOf(decision.action, cost === undefined ? undefined : Math.max(0, cost), market, names);
  return (
    <div class="acts">
      {decision && (
        <button class="act" aria-disabled={!decision.isReady || isUnwanted} onClick={play.act}>
          {play.isBusy ? t("One moment …") : name || translated(FIRST[decision.choice.mode] ?? MODE_NAMES[decision.choice.mode])}
        </button>
      )}
      <div class="others">
        <button onClick={play.undo} disabled={!play.canUndo}>
          {t("Undo")}
        </button>
        <button class="suggest" onClick={play.suggest} disabled={!isMyMove(model) || model.match?.noAdvice === true}>
          {t("Suggest")}
        </button>
        <button aria-expanded={recap.isShown} onClick={recap.toggle}>
          {t("Recap")}
        </button>
        <button aria-expanded={hasMenu} onClick={() => setHasMenu(!hasMenu)}>
          {t("More")}
        </button>
      </div>
    </div>
  );
}

/** Keep the focus in the pane when what had it is gone after an action. */
function useKeptFocus(revision: string) {
  const pane = useRef<HTMLDivElement>(null);
  const had = useRef(false);
  useEffect(() => {
    const element = pane.current;
    if (had.current && element && document.activeElement === document.body) element.focus({ preventScroll: true });
  }, [revision]);
  useEffect(() => {
    const noticed = (event: FocusEvent): void => {
      had.current = event.target instanceof Node && pane.current?.contains(event.target) === true;
    };
    document.addEventListener("focusin", noticed);
    return () => document.removeEventListener("focusin", noticed);
  }, []);
  return pane;
}
