/** What is chosen of a decision, before it is played. It follows from what the server says is legal; it knows no rules. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { type Action, ActionSchema, type Legal } from "../gen/vinci/v1/game_pb";
import { type Mark, type Marks, NO_MARKS } from "../match/marks";
import * as plans from "./plan";
import type { Plan } from "./plan";

/** What one can decide about; each has a component. */
export type Mode = "draft" | "conquer" | "abandon" | "peace" | "hold" | "redeploy" | "decline" | "stay";

export interface Choice {
  /** The revision that it was made for; it means nothing for another one. */
  readonly revision: bigint;
  readonly mode: Mode;
  /** The slot of the market, from 1; 0 for none. */
  readonly slot: number;
  /** The opponent to name for peace; 0 for none. */
  readonly seat: number;
  /** Conquer by Spies where both ways are open. */
  readonly spies: boolean;
  readonly plan: Plan | undefined;
}

/** Return what can be decided about, the usual first. */
export function modesOf(legal: Legal): readonly Mode[] {
  const all: readonly (readonly [Mode, boolean])[] = [
    ["draft", legal.take.length > 0],
    ["redeploy", legal.redeploy !== undefined],
    ["stay", legal.stay],
    ["conquer", legal.conquer.length + legal.conquerBySpies.length > 0],
    ["hold", legal.hold !== undefined],
    ["peace", legal.peace.length > 0],
    ["abandon", legal.abandon.length > 0],
    ["decline", legal.decline],
  ];
  return all.filter(([, isOpen]) => isOpen).map(([mode]) => mode);
}

/** Return the choice before anything is chosen; undefined if nothing is legal. */
export function startingChoice(legal: Legal, revision: bigint): Choice | undefined {
  const [mode] = modesOf(legal);
  return mode && withMode({ revision, mode, slot: 0, seat: 0, spies: false, plan: undefined }, mode, legal);
}

/** Return a choice with another thing to decide about. */
export function withMode(choice: Choice, mode: Mode, legal: Legal): Choice {
  const plan = mode === "hold" || mode === "redeploy" ? plans.suggested(mode, legal) : undefined;
  return { ...choice, mode, plan };
}

/** Return whether a province would be conquered by Spies. */
export function isBySpies(choice: Choice, province: string, legal: Legal): boolean {
  return legal.conquerBySpies.includes(province) && (choice.spies || !legal.conquer.includes(province));
}

/**
 * Return the action that is chosen, with a selected province; undefined while something is missing.
 *
 * @param isForeign whether to return the conquest of a province that cannot be conquered, too: its preview says why.
 */
export function actionOf(choice: Choice, selected: string, legal: Legal, isForeign = false): Action | undefined {
  switch (choice.mode) {
    case "draft":
      return legal.take.includes(choice.slot) ? action({ case: "take", value: { slot: choice.slot } }) : undefined;
    case "conquer": {
      const spies = isBySpies(choice, selected, legal);
      const isOpen = spies || isForeign || legal.conquer.includes(selected);
      return isOpen ? action({ case: "conquer", value: { province: selected, spies } }) : undefined;
    }
    case "abandon":
      return legal.abandon.includes(selected) ? action({ case: "abandon", value: { province: selected } }) : undefined;
    case "peace":
      return legal.peace.includes(choice.seat) ? action({ case: "peace", value: { seat: choice.seat } }) : undefined;
    case "decline":
      return action({ case: "decline", value: {} });
    case "stay":
      return action({ case: "stay", value: {} });
    case "hold":
    case "redeploy":
      return choice.plan && plans.actionOf(choice.plan, legal);
  }
}

/** Return the choice that leads to an action, such as a suggested one, and the province to select for it. */
export function choiceOf({ kind }: Action, choice: Choice, legal: Legal): { choice: Choice; province: string } | undefined {
  switch (kind.case) {
    case "take":
      return { choice: { ...choice, mode: "draft", slot: kind.value.slot }, province: "" };
    case "conquer":
      return { choice: { ...choice, mode: "conquer", spies: kind.value.spies, plan: undefined }, province: kind.value.province };
    case "abandon":
      return { choice: withMode(choice, "abandon", legal), province: kind.value.province };
    case "peace":
      return { choice: { ...withMode(choice, "peace", legal), seat: kind.value.seat }, province: "" };
    case "decline":
    case "stay":
      return { choice: withMode(choice, kind.case, legal), province: "" };
    case "hold":
    case "redeploy": {
      const { provinces, pawns } = kind.value;
      const part = legal.hold?.parts.findIndex((one) => one.provinces.some((code) => provinces.includes(code))) ?? 0;
      const plan: Plan = {
        kind: kind.case,
        part: Math.max(part, 0),
        pawns: new Map(provinces.map((code, place) => [code, pawns[place] ?? 0])),
        forts: new Set("forts" in kind.value ? kind.value.forts : []),
      };
      return { choice: { ...choice, mode: kind.case, plan }, province: "" };
    }
    default:
      return undefined;
  }
}

/** A province that can be conquered. */
export interface Target {
  readonly province: string;
  readonly cost: number;
  /** What it is worth at once, in VP. */
  readonly worth: number;
  /** It can be conquered by Spies only. */
  readonly isForSpies: boolean;
}

/** Pawns of a conquest by Spies (R-CONQ-7). */
export const SPIES_COST = 2;

/** Return the provinces that can be conquered, the most valuable first, then the cheapest. */
export function targetsOf(legal: Legal): readonly Target[] {
  const targets = legal.conquer.map((province, place) => ({
    province,
    cost: legal.cost[place] ?? 0,
    worth: legal.worth[place] ?? 0,
    isForSpies: false,
  }));
  const spied = legal.conquerBySpies.filter((code) => !legal.conquer.includes(code));
  return [
    ...targets.sort((one, other) => other.worth - one.worth || one.cost - other.cost || (one.province < other.province ? -1 : 1)),
    ...spied.map((province) => ({ province, cost: SPIES_COST, worth: 0, isForSpies: true })),
  ];
}

/** Return a province that can be conquered; undefined if it cannot. */
export function targetAt(legal: Legal, province: string): Target | undefined {
  return targetsOf(legal).find((target) => target.province === province);
}

/** Return what is marked on the board, with the provinces that the chosen action loses. */
export function marksOf(choice: Choice, selected: string, legal: Legal, lost: readonly string[]): Marks {
  const marks = new Map<string, Mark>();
  switch (choice.mode) {
    case "conquer":
      for (const { province, cost } of targetsOf(legal)) {
        const text = String(isBySpies(choice, province, legal) ? SPIES_COST : cost);
        marks.set(province, { kind: province === selected ? "chosen" : "target", text });
      }
      break;
    case "abandon":
      for (const code of legal.abandon) marks.set(code, { kind: code === selected ? "lost" : "target", text: "" });
      break;
    case "hold":
    case "redeploy": {
      const { plan } = choice;
      if (!plan) return NO_MARKS;
      const all = plan.kind === "hold" ? (legal.hold?.parts ?? []).flatMap(({ provinces }) => provinces) : plans.places(plan, legal);
      for (const code of all) {
        const pawns = plan.pawns.get(code) ?? 0;
        const kind = pawns > 0 || plan.kind === "redeploy" ? "chosen" : "lost";
        if (plan.kind === "hold") marks.set(code, { kind, text: "", pawns, fort: plan.forts.has(code) });
        else marks.set(code, { kind, text: pawns > 0 ? `+${pawns}` : "" });
      }
      break;
    }
    default:
  }
  for (const code of lost) if (!marks.has(code)) marks.set(code, { kind: "lost", text: "" });
  return marks.size > 0 ? marks : NO_MARKS;
}

/** Return the pawns that a conquest costs; undefined for other actions. */
export function costIn({ kind }: Action, legal: Legal): number | undefined {
  if (kind.case !== "conquer") return undefined;
  return kind.value.spies ? SPIES_COST : legal.cost[legal.conquer.indexOf(kind.value.province)];
}

function action(kind: MessageInitShape<typeof ActionSchema>["kind"] & object): Action {
  return create(ActionSchema, { kind });
}
