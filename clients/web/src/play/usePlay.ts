/** The decision at hand: what is chosen, its preview by the server, and how it is played, taken back and advised on. */

import { toJsonString } from "@bufbuild/protobuf";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import { failureOf } from "../connection/errors";
import { type Action, ActionSchema, Holding, type Legal, type Prospect } from "../gen/vinci/v1/game_pb";
import { isMyMove, legal as legalOf, standing, state } from "../match/selectors";
import type { Table } from "../match/table";
import { isNewcomer } from "../tutorial/hints";
import * as calls from "./calls";
import { actionOf, type Choice, choiceOf, startingChoice } from "./choice";
import { refusal, refusalOf } from "./violations";
import { reasonsOf } from "./wording";

/** A preview: of which action, and what it does or why it is refused; undefined while it is asked for. */
export interface Preview {
  readonly key: string;
  readonly effect?: calls.Effect;
  readonly refusal?: string;
}

/** A suggestion of the server for a revision. */
export interface Suggestion {
  readonly revision: bigint;
  /** The server is thinking. */
  readonly isPending: boolean;
  readonly action: Action | undefined;
  readonly notation: string;
  readonly reasons: readonly string[];
}

/** The decision at hand, which is there only on the own move. */
export interface Decision {
  readonly legal: Legal;
  readonly choice: Choice;
  /** The action that is chosen. */
  readonly action: Action | undefined;
  readonly preview: Preview | undefined;
  /** Whether the action can be played now: it is previewed and legal. */
  readonly isReady: boolean;
  readonly prospects: readonly Prospect[];
  readonly choose: (some: Partial<Choice>) => void;
}

/** What the component of a decision is given. */
export interface ModeProps {
  readonly table: Table;
  readonly decision: Decision;
  /** Play what is chosen: it was chosen before and is tapped again. */
  readonly second: () => void;
}

export interface Play {
  readonly decision: Decision | undefined;
  readonly isBusy: boolean;
  /** Why the server refused what was done last; empty if it did not. */
  readonly notice: string;
  readonly canUndo: boolean;
  readonly suggestion: Suggestion | undefined;
  /** Play what is chosen. */
  readonly act: () => void;
  readonly undo: () => void;
  readonly suggest: () => void;
  /** Choose what was suggested. */
  readonly adopt: () => void;
  /** Choose an action. */
  readonly choose: (action: Action) => void;
  /** Do something that the server may refuse, one thing at a time; it may return the revision that it leads to. */
  readonly attempt: (work: () => Promise<bigint | undefined>) => void;
}

const PAUSE_BEFORE_PREVIEW = 120;

/** Return the decision of the seat that is played here. */
export function usePlay(table: Table): Play {
  const { model, names, dispatch } = table;
  const { selected } = model;
  const revision = model.shown?.revision ?? 0n;
  const legal = legalOf(model);

  const [kept, setKept] = useState<Choice>();
  const fresh = useMemo(() => legal && startingChoice(legal, revision), [legal, revision]);
  const choice = kept?.revision === revision ? kept : fresh;
  const isForeign = isForeignLand(model, selected);
  const action = useMemo(() => legal && choice && actionOf(choice, selected, legal, isForeign), [legal, choice, selected, isForeign]);
  const [notice, setNotice] = useState("");
  const choose = useCallback(
    (some: Partial<Choice>): void => {
      setKept(choice && { ...choice, ...some });
      setNotice(""); // it was about what is no longer chosen
    },
    [choice],
  );

  const preview = usePreview(table, action, revision);
  const prospects = useProspects(table, choice?.mode === "draft" || choice?.mode === "decline");

  const [pending, setPending] = useState(false);
  const [awaited, setAwaited] = useState(0n);
  const working = useRef(false); // besides `pending`, which a second tap before the next drawing does not see
  const isBusy = pending || awaited > revision;
  const attempt = (work: () => Promise<bigint | undefined>): void => {
    if (working.current || isBusy) return;
    working.current = true;
    setPending(true);
    setNotice("");
    work()
      .then(
        (led) => led !== undefined && setAwaited(led),
        (error: unknown) => setNotice(refusal(failureOf(error), names)),
      )
      .finally(() => {
        working.current = false;
        setPending(false);
      });
  };
  const isReady = action !== undefined && preview?.effect !== undefined && !isBusy;
  const act = (): void => {
    const objection = action && table.objection?.(action, true);
    if (objection) setNotice(objection);
    else if (action && isReady) {
      attempt(() => calls.play(table, action));
      if (action.kind.case === "abandon") dispatch({ kind: "select", province: "" }); // the next tap would conquer it again
    }
  };

  const [told, setTold] = useState<Suggestion>();
  const suggestion = told?.revision === revision ? told : undefined;
  const suggest = (): void => {
    if (suggestion?.isPending) return;
    setTold({ revision, isPending: true, action: undefined, notation: "", reasons: [] });
    setNotice("");
    const compared = legal && choice && actionOf(choice, selected, legal); // not with what only shows why it cannot be done
    calls.suggestion(table, compared).then(
      (answer) => {
        const market = state(model)?.market ?? [];
        const reasons = answer.advice ? reasonsOf(answer.advice, market, names, isNewcomer()) : [];
        setTold({ revision: answer.revision, isPending: false, action: answer.action, notation: answer.notation, reasons });
      },
      (error: unknown) => {
        setTold(undefined);
        setNotice(refusal(failureOf(error), names));
      },
    );
  };
  const chooseAction = (action: Action): void => {
    const found = legal && choice && choiceOf(action, choice, legal);
    if (!found) return;
    setKept(found.choice);
    dispatch({ kind: "select", province: found.province });
  };

  return {
    decision: legal && choice && { legal, choice, action, preview, isReady, prospects, choose },
    isBusy,
    notice,
    canUndo: canUndo(table) && !isBusy,
    suggestion,
    act,
    undo: () => {
      dispatch({ kind: "select", province: "" }); // one tap on the board would play it again
      attempt(() => calls.takeBack(table));
    },
    suggest,
    adopt: () => suggestion?.action && chooseAction(suggestion.action),
    choose: chooseAction,
    attempt,
  };
}

/** Return whether a province is selected that the own active empire does not hold. */
function isForeignLand(model: Table["model"], selected: string): boolean {
  const { provinces = [], owners = [], holdings = [] } = state(model) ?? {};
  const place = provinces.indexOf(selected);
  return place >= 0 && (owners[place] !== model.seat || holdings[place] !== Holding.ACTIVE);
}

/** Return whether the last thing that happened is an action of this turn, which goes on; whether it can be taken back the server decides. */
function canUndo({ model }: Table): boolean {
  if (!isMyMove(model)) return false;
  const last = standing(model.past)
    .filter(({ undoTo }) => undoTo === undefined)
    .at(-1);
  return last !== undefined && last.seat === model.seat && last.by === "player";
}

/** Return the preview of an action; a placement is previewed when it has been left alone for a moment. */
function usePreview(table: Table, action: Action | undefined, revision: bigint): Preview | undefined {
  const [preview, setPreview] = useState<Preview>();
  const key = action ? `${revision} ${toJsonString(ActionSchema, action)}` : "";
  const asked = useRef({ table, action });
  asked.current = { table, action };
  useEffect(() => {
    const { table, action } = asked.current;
    if (!action) return undefined;
    const call = new AbortController();
    const ask = (): void => {
      calls.preview(table, action, call.signal).then(
        (effect) => setPreview({ key, effect }),
        (error: unknown) => !call.signal.aborted && setPreview({ key, refusal: refusalOf(error, table.names) }),
      );
    };
    const timer = setTimeout(ask, action.kind.case === "hold" || action.kind.case === "redeploy" ? PAUSE_BEFORE_PREVIEW : 0);
    return () => {
      clearTimeout(timer);
      call.abort();
    };
  }, [key]);
  return preview?.key === key ? preview : undefined;
}

/** Return what each civilization could take and score, if it is wanted. */
function useProspects(table: Table, isWanted: boolean): readonly Prospect[] {
  const [found, setFound] = useState<{ revision: bigint; prospects: readonly Prospect[] }>();
  const revision = table.model.shown?.revision ?? 0n;
  const asked = useRef(table);
  asked.current = table;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isGone = false;
    calls.prospects(asked.current).then(
      (prospects) => !isGone && setFound({ revision, prospects }),
      () => undefined, // the decision can be made without them
    );
    return () => {
      isGone = true;
    };
  }, [isWanted, revision]);
  return isWanted && found?.revision === revision ? found.prospects : [];
}
