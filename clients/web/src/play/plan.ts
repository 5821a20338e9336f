/** Placements of pawns: which provinces get how many, within what the server allows. */

import { create } from "@bufbuild/protobuf";

import { type Action, ActionSchema, type Legal } from "../gen/vinci/v1/game_pb";

export interface Plan {
  readonly kind: "hold" | "redeploy";
  /** Place of the part of the empire that is kept, in the parts that the server lists. */
  readonly part: number;
  readonly pawns: ReadonlyMap<string, number>;
  /** Provinces that get a fort. */
  readonly forts: ReadonlySet<string>;
}

/** Return the placement that the server suggests; undefined if there is nothing to place. */
export function suggested(kind: Plan["kind"], legal: Legal): Plan | undefined {
  const way = kind === "hold" ? legal.hold?.suggestion : legal.redeploy?.suggestion;
  if (!way) return undefined;
  const pawns = new Map(way.provinces.map((code, place) => [code, way.pawns[place] ?? 0]));
  const part = legal.hold?.parts.findIndex(({ provinces }) => provinces.some((code) => pawns.has(code))) ?? 0;
  return { kind, part: Math.max(part, 0), pawns, forts: new Set("forts" in way ? way.forts : []) };
}

/** Return a placement that keeps another part of the empire, with its pawns spread evenly. */
export function keepingPart(legal: Legal, part: number): Plan {
  const { provinces = [], most = 0 } = legal.hold?.parts[part] ?? {};
  const shares = provinces.map((code, place): [string, number] => [
    code,
    Math.floor(most / provinces.length) + (place < most % provinces.length ? 1 : 0),
  ]);
  return { kind: "hold", part, pawns: new Map(shares.filter(([, pawns]) => pawns > 0)), forts: new Set() };
}

/** Return the provinces that can get pawns. */
export function places(plan: Plan, legal: Legal): readonly string[] {
  return (plan.kind === "hold" ? legal.hold?.parts[plan.part]?.provinces : legal.redeploy?.provinces) ?? [];
}

/** Return how many pawns are placed, and the fewest and most that are to be placed. */
export function bounds(plan: Plan, legal: Legal): { placed: number; least: number; most: number } {
  let placed = 0;
  for (const pawns of plan.pawns.values()) placed += pawns;
  if (plan.kind === "redeploy") return { placed, least: legal.redeploy?.pawns ?? 0, most: legal.redeploy?.pawns ?? 0 };
  const { least = 0, most = 0 } = legal.hold?.parts[plan.part] ?? {};
  return { placed, least, most };
}

/** Put pawns into a province, or take them from it (negative), as many as possible. */
export function add(plan: Plan, legal: Legal, code: string, pawns: number): Plan {
  if (!places(plan, legal).includes(code)) return plan;
  const { placed, most } = bounds(plan, legal);
  const now = plan.pawns.get(code) ?? 0;
  const then = now + Math.min(Math.max(pawns, -now), most - placed);
  if (then === now) return plan;
  const after = new Map(plan.pawns).set(code, then);
  if (then > 0) return { ...plan, pawns: after };
  after.delete(code);
  return { ...plan, pawns: after, forts: new Set([...plan.forts].filter((other) => other !== code)) };
}

/** Plan a fort in a province that is kept, or none there. */
export function toggleFort(plan: Plan, legal: Legal, code: string): Plan {
  const forts = new Set(plan.forts);
  if (!forts.delete(code) && plan.pawns.has(code) && forts.size < (legal.hold?.forts ?? 0)) forts.add(code);
  return { ...plan, forts };
}

/** Return the action that carries out a placement; undefined while pawns are left. */
export function actionOf(plan: Plan, legal: Legal): Action | undefined {
  const { placed, least, most } = bounds(plan, legal);
  if (placed < least || placed > most) return undefined;
  const [provinces, pawns] = [[...plan.pawns.keys()], [...plan.pawns.values()]];
  if (plan.kind === "redeploy") return create(ActionSchema, { kind: { case: "redeploy", value: { provinces, pawns } } });
  return create(ActionSchema, { kind: { case: "hold", value: { provinces, pawns, forts: [...plan.forts] } } });
}
