/** Sentences and names for decisions: what a button does, what an action costs and does, why the server advises it. */

import type { Action, Advice, CostItem, Estimate, Event, MarketSlot, Prospect } from "../gen/vinci/v1/game_pb";
import type { Proposal } from "../gen/vinci/v1/lobby_pb";
import { capital, mark, plural, signed, t } from "../i18n/i18n";
import type { Names } from "../match/names";
import { sentence } from "../match/sentences";
import { pawns, sentenceOf, slotTaken, stepOf } from "../match/wording";
import type { Mode } from "./choice";

/** Short names of what can be decided about. */
export const MODE_NAMES: Record<Mode, string> = {
  draft: mark("Choose a civilization"),
  conquer: mark("Conquer"),
  abandon: mark("Abandon"),
  peace: mark("Peace"),
  hold: mark("End the conquests"),
  redeploy: mark("Place your survivors"),
  decline: mark("Decline"),
  stay: mark("Stay with this empire"),
};

/** What is missing while a button cannot act yet. */
export const FIRST: Partial<Record<Mode, string>> = {
  conquer: mark("Select a province"),
  abandon: mark("Select a province"),
  peace: mark("Select an opponent"),
  draft: mark("Select a civilization"),
};

/** Return what a button does that plays an action, with its cost. */
export function actOf({ kind }: Action, cost: number | undefined, market: readonly MarketSlot[], names: Names): string {
  switch (kind.case) {
    case "take": {
      const slot = market[kind.value.slot - 1];
      const civilization = names.civilization(slot?.traits ?? []);
      if (!slot?.price) return t("Take {civilization}", { civilization });
      return t("Take {civilization} for {vp} VP", { civilization, vp: slot.price });
    }
    case "conquer": {
      const fields = { province: names.provinceObject(kind.value.province), n: cost ?? "…" };
      return capital(kind.value.spies ? t("Conquer {province} by Spies for {n}", fields) : t("Conquer {province} for {n}", fields));
    }
    case "abandon":
      return capital(t("Abandon {province}", { province: names.provinceObject(kind.value.province) }));
    case "peace":
      return t("Declare peace with {who}", { who: names.seat(kind.value.seat) });
    case "hold":
      return t("End the turn and score");
    case "redeploy":
      return capital(t("Place {pawns}", { pawns: pawns(sum(kind.value.pawns)) }));
    case "decline":
      return t("Put the empire into decline");
    case "stay":
      return t("Stay with this empire");
    default:
      return "";
  }
}

/** Return a cost in its parts: 5 pawns = terrain 3, pawns there 2. */
export function costOf(items: readonly CostItem[], names: Names): string {
  if (items.length === 0) return "";
  const total = Math.max(0, sum(items.map((item) => item.pawns)));
  return `${pawns(total)} = ${items.map((item) => `${names.costSource(item.source)} ${signed(item.pawns)}`).join(", ")}`;
}

/** Return whether an event only repeats what the button of its action says. */
function isSaid({ kind: { case: name, value } }: Event): boolean {
  if (name === "conquered") return value.defender === 0;
  if (name === "reorganised") return value.givenUp.length + value.lost + value.byGeneral === 0;
  return name === "civilizationTaken" || name === "peaceNamed" || name === "redeployed" || name === "stayed";
}

/** Kinds of events that come first in a preview, since they are easily overlooked. */
const LOSSES: ReadonlySet<string | undefined> = new Set(["evacuated", "declineVanished", "abandoned", "empireCollapsed"]);

/** Return what an action would do beyond what its button says, a sentence each: losses, and the rest without turns of others. */
export function effectsOf(events: readonly Event[], names: Names): { losses: readonly string[]; others: readonly string[] } {
  const shown = events.filter((event) => event.kind.case !== "turnStarted" && event.kind.case !== "civilizationDrawn" && !isSaid(event));
  const sentences = (isLoss: boolean): string[] =>
    shown
      .filter(({ kind }) => LOSSES.has(kind.case) === isLoss)
      .map((event) => sentenceOf(event, names, true))
      .filter((text) => text !== "");
  return { losses: sentences(true), others: sentences(false) };
}

/** Return what a civilization could take and score on the board as it is now. */
export function prospectOf(found: Prospect, names: Names): string {
  return sentence("prospect", found, names);
}

/** Return in a few words what a civilization would score on the board as it is now. */
export function worthOf({ vp, once }: Prospect): string {
  return once ? t("now worth {vp} VP, then {later} a turn", { vp, later: vp - once }) : t("now worth {vp} VP a turn", { vp });
}

/** Return what follows if the present civilization goes on, and if it declines for the best new one. */
export function futuresOf(prospects: readonly Prospect[], market: readonly MarketSlot[], names: Names): readonly string[] {
  const lines: string[] = [];
  const present = prospects.find(({ slot }) => slot === 0);
  if (present) lines.push(sentence("goingOn", { ...present, all: present.vp + present.declinedVp }, names));
  const price = ({ slot }: Prospect): number => priceIn(market, slot);
  const gain = (found: Prospect): number => found.vp + found.declinedVp - price(found);
  const [best] = prospects.filter(({ slot }) => slot > 0).sort((one, other) => gain(other) - gain(one));
  if (best) {
    const paid = price(best);
    const facts = { all: best.vp + best.declinedVp, traits: market[best.slot - 1]?.traits ?? [], paid: Math.max(paid, 0), received: Math.max(-paid, 0) };
    lines.push(sentence("declining", { ...best, ...facts }, names));
  }
  if (lines.length > 1) lines.push(sentence("futuresBasis", {}));
  return lines;
}

/** Return the parts of an empire by their provinces. */
export function partsOf(parts: readonly (readonly string[])[], names: Names): string {
  return parts.map((part) => `[${part.map((code) => names.province(code)).join(", ")}]`).join(" ");
}

/** Return what a slot costs, less the VP that lie on it. */
export function priceIn(market: readonly MarketSlot[], slot: number): number {
  const { price = 0, markers = 0 } = market[slot - 1] ?? {};
  return price - 2 * markers;
}

/**
 * Return the reasons of a suggestion: the plan, the result to expect, the main threat, the best decline, the comparison.
 *
 * @param isPlain whether to round numbers instead of saying how exact they are.
 */
export function reasonsOf(advice: Advice, market: readonly MarketSlot[], names: Names, isPlain = false): readonly string[] {
  const { plan, threat, decline, comparison } = advice;
  const shown = (found: Estimate | undefined): object | undefined => (found && isPlain ? { ...found, halfWidth: 0 } : found);
  const gained = (gain: Estimate): object => ({ gain: shown(gain), better: gain.mean > gain.halfWidth, worse: -gain.mean > gain.halfWidth });
  const [vp, margin] = [shown(advice.vp), shown(advice.margin)];
  const lines: string[] = [];
  const [first = "", ...more] = plan.map((step) => stepOf(step, market, names));
  if (comparison && comparison.plan[0] !== plan[0] && comparison.margin && comparison.vp) {
    const other = stepOf(comparison.plan[0] ?? "", market, names);
    lines.push(sentence("compared", { margin: shown(comparison.margin), vp: shown(comparison.vp), action: first, other }, names));
  } else if (comparison && more.length > 0) lines.push(sentence("bestTurn", {}, names));
  if (more.length > 0 || /^(hold|redeploy) /.test(plan[0] ?? "")) lines.push(t("The whole turn: {plan}", { plan: [first, ...more].join(t("; ")) }));
  lines.push(sentence("expected", { ...advice, vp, margin, behind: (advice.margin?.mean ?? 0) < 0 }, names));
  if (slotTaken(plan[0])) {
    const other = advice.nextTaken;
    const traits = market[slotTaken(other?.plan[0]) - 1]?.traits;
    if (traits && other?.margin) lines.push(sentence("nextTaken", { traits, ...gained(other.margin) }, names));
    lines.push(sentence("takenBasis", {}));
  }
  if (threat) lines.push(sentence("threat", threat, names));
  const slot = decline && market[decline.slot - 1];
  if (slot && decline.gain && (!isPlain || decline.gain.mean > decline.gain.halfWidth)) lines.push(sentence("bestDecline", { traits: slot.traits, ...gained(decline.gain) }, names));
  if (advice.simulations > 0 && !isPlain) {
    lines.push(
      plural(
        "± is the error of the mean of {n} simulation; a single game can end much further from it.",
        "± is the error of the mean of {n} simulations; a single game can end much further from it.",
        advice.simulations,
      ),
    );
  }
  return lines;
}

/** Return what is proposed, by whom, and who has yet to agree. */
export function proposalOf({ kind, seat, agreed, missing }: Proposal, names: Names): string {
  return sentence("proposal", { kind, seat, agreed, missing: missing.filter((one) => one !== seat) }, names);
}

/** Return the outcome of a game that is over, in sentences: who wins, and by how much. */
export function outcomeOf(ranks: readonly number[], vp: readonly number[], round: number, names: Names): readonly string[] {
  const order = ranking(ranks);
  const best = order.filter((seat) => ranks[seat - 1] === 1);
  const [first = 1, second] = order;
  const most = vp[first - 1] ?? 0;
  const lines = [sentence("outcome", { over: true, shared: best.length > 1, own: best.length === 1 && first === names.you, best, vp: most, round }, names)];
  if (best.length === 1 && second !== undefined) lines.push(sentence("lead", { seat: second, vp: most - (vp[second - 1] ?? 0) }, names));
  return lines;
}

/** Return the seats by rank, the best first. */
export function ranking(ranks: readonly number[]): readonly number[] {
  const seats = ranks.map((_, place) => place + 1);
  return seats.sort((one, other) => (ranks[one - 1] ?? 0) - (ranks[other - 1] ?? 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
