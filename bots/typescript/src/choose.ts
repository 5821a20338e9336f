// What the bot plays: this is the file to change. Each decision tells what is legal, what it costs and what it is worth.

import { createHash } from "node:crypto";
import type { ActionInput } from "./generated/vinci/v1/Action";
import type { Decision } from "./generated/vinci/v1/Decision";
import type { Legal } from "./generated/vinci/v1/Legal";

/** Picks one of several that are as good as each other; at least one. */
export type Pick = <T>(candidates: T[]) => T;

/** A province that can be conquered: what it is worth now, in VP, and what it costs, in pawns. */
interface Target {
  province: string;
  spies: boolean;
  worth: number;
  cost: number;
}

/** An empire that scores less than POOR, and can win less than LITTLE, both in VP, is given up. */
const POOR = 8;
const LITTLE = 2;
const FEW_PAWNS = 3;
const PRICE_OF_SPIES = 2;

/** The chance of one decision. It depends on seed and revision only: a bot that is asked again plays the same. */
export function picker(seed: string, revision: string): Pick {
  const chance = createHash("sha256").update(`${seed}|${revision}`).digest().readUInt32BE();
  return (candidates) => candidates[chance % candidates.length]!;
}

/** A legal action. The server asks again until the turn is over. However long it takes, pings are answered meanwhile. */
export async function choose({ legal, state, seat }: Decision, pick: Pick): Promise<ActionInput> {
  if (!legal || !state) throw new Error("a decision comes with a state and with what is legal");
  if (legal.redeploy) return { redeploy: legal.redeploy.suggestion };
  if (legal.take.length) {
    const worth = (slot: number) => {
      const { pawns, markers, price } = state.market[slot - 1]!;
      return pawns + 2 * markers - price; // each marker is 2 VP
    };
    return { take: { slot: pick(best(legal.take, worth)) } };
  }
  const empire = state.seats[seat - 1]?.active;
  if (legal.stay) {
    const free = (empire?.pawns ?? 0) - (empire?.provinces ?? 0);
    return free < FEW_PAWNS ? { decline: {} } : { stay: {} };
  }
  const targets = targetsOf(legal);
  const poor = (empire?.vp ?? 0) < POOR && gain(targets, empire?.reserve ?? 0) < LITTLE;
  if (legal.decline && poor) return { decline: {} };
  if (targets.length) {
    const { province, spies } = pick(best(targets, ({ worth, cost }) => worth / cost));
    return { conquer: { province, spies } };
  }
  return { hold: legal.hold?.suggestion };
}

/** A legal action without much thought, for when what was chosen turned out to be none. */
export function fallback({ legal }: Decision): ActionInput {
  if (legal?.redeploy) return { redeploy: legal.redeploy.suggestion };
  if (legal?.hold) return { hold: legal.hold.suggestion };
  if (legal?.take.length) return { take: { slot: legal.take[0] } };
  if (legal?.stay) return { stay: {} };
  if (legal?.conquer.length) return { conquer: { province: legal.conquer[0] } };
  return { decline: {} };
}

/** What is worth a conquest, or has to be conquered since holding is not legal yet. Spies where they save pawns. */
function targetsOf(legal: Legal): Target[] {
  const targets = legal.conquer.map((province, at) => ({
    province,
    spies: false,
    worth: legal.worth[at]!,
    cost: legal.cost[at]!,
  }));
  for (const province of legal.conquerBySpies) {
    const known = targets.find((target) => target.province === province);
    if (!known) targets.push({ province, spies: true, worth: 1, cost: PRICE_OF_SPIES });
    else if (known.cost > PRICE_OF_SPIES) Object.assign(known, { spies: true, cost: PRICE_OF_SPIES });
  }
  return legal.hold ? targets.filter(({ worth }) => worth > 0) : targets;
}

/** About what the pawns in reserve can win, in VP. */
function gain(targets: Target[], reserve: number): number {
  let won = 0;
  for (const { worth, cost } of [...targets].sort((one, other) => other.worth / other.cost - one.worth / one.cost)) {
    if (cost > reserve) continue;
    reserve -= cost;
    won += worth;
  }
  return won;
}

/** Those with the highest value. */
function best<T>(candidates: T[], value: (candidate: T) => number): T[] {
  const highest = Math.max(...candidates.map(value));
  return candidates.filter((candidate) => value(candidate) === highest);
}
