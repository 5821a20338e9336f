/** When it is told what happened since the own last turn: at the beginning of a turn until something is chosen, and on demand. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { type Event, Phase, type State, type Update } from "../gen/vinci/v1/game_pb";
import { t } from "../i18n/i18n";
import type { Attack } from "../match/attacks";
import { loadHistory } from "../match/load";
import { attacksIn, happened, type Happened, ownConquests, recapOf, sinceLastTurn, type Told } from "../match/recap";
import { isMyMove, state } from "../match/selectors";
import type { Table } from "../match/table";

export interface Recap {
  readonly isShown: boolean;
  readonly told: readonly Told[];
  /** The attacks of others, to be shown by arrows instead of those of the last move; undefined while nothing is told. */
  readonly attacks: readonly Attack[] | undefined;
  readonly toggle: () => void;
}

const NOTHING: readonly Happened[] = [];

/** @param choice what is chosen, which is another object after a change. */
export function useRecap({ model, names, objection }: Table, choice: unknown): Recap {
  const revision = model.shown?.revision ?? 0n;
  const [wanted, setWanted] = useState<{ revision: bigint; isShown: boolean }>();
  const isShown = model.seat !== 0 && (wanted?.revision === revision ? wanted.isShown : objection === undefined && isFresh(model)); // the tutorial tells it itself

  const { selected } = model;
  const before = useRef({ selected, choice, revision });
  useEffect(() => {
    const is = { selected, choice, revision };
    const was = before.current;
    before.current = is;
    if (was.revision === revision && was.choice && (was.selected !== selected || was.choice !== choice)) setWanted({ revision, isShown: false });
  }, [selected, choice, revision]);

  const events = useMemo(() => (isShown ? happened(model.past) : NOTHING), [isShown, model.past]);
  const recent = useMemo(() => sinceLastTurn(events, model.seat), [events, model.seat]);
  const loaded = useStates(model.matchId, recent, isShown, model.past);
  const attacks = useMemo(() => (isShown ? attacksIn(recent, model.seat, loaded, names.board) : undefined), [isShown, recent, model.seat, loaded, names]);
  const target = state(model)?.target ?? 0;
  const told = useMemo(() => {
    if (!isShown) return [];
    return hasScored(recent.map(({ event }) => event), model.seat) ? recapOf(recent, model.seat, names, ownConquests(events, model.seat)) : [{ seat: model.seat, text: goal(target) }];
  }, [isShown, recent, events, model.seat, names, target]);
  return { isShown, told, attacks, toggle: () => setWanted({ revision, isShown: !isShown }) };
}

/** Return whether an own turn has just begun that is not the first: others have acted since the last own action. */
function isFresh(model: Table["model"]): boolean {
  const phase = state(model)?.phase;
  return isMyMove(model) && model.shown?.seat !== model.seat && (phase === Phase.START || phase === Phase.DRAFT) && model.past.some(({ events }) => hasScored(events, model.seat));
}

/** Return whether a seat scores in some events. */
function hasScored(events: readonly Event[], seat: number): boolean {
  return events.some(({ kind }) => kind.case === "scored" && kind.value.seat === seat);
}

/** Return the positions before what happened, by revision; those from before the page opened are loaded when they are needed. */
function useStates(matchId: string, recent: readonly Happened[], isShown: boolean, past: readonly Update[]): ReadonlyMap<bigint, State> {
  const [loaded, setLoaded] = useState<readonly Update[]>([]);
  const states = useMemo(
    () => new Map([...loaded, ...(isShown ? past : [])].flatMap(({ revision, state }) => (state ? [[revision, state] as const] : []))),
    [loaded, isShown, past],
  );
  const missing = recent.filter(({ before, event }) => event.kind.case === "conquered" && before >= 0n && !states.has(before));
  const [first, last] = [missing[0]?.before, missing.at(-1)?.before];
  useEffect(() => {
    if (first === undefined || last === undefined) return undefined;
    let isGone = false;
    loadHistory(matchId, last, first).then(
      (updates) => !isGone && setLoaded(updates),
      () => undefined, // the sentences are there without arrows
    );
    return () => {
      isGone = true;
    };
  }, [matchId, first, last]);
  return states;
}

/** Return the goal of the game, for the first turn. */
export function goal(target: number): string {
  return t(
    "Your goal: the most VP when somebody reaches {target}. At the end of your turn each province of your empires scores 1 VP, except mountains; traits add to that.",
    { target },
  );
}
