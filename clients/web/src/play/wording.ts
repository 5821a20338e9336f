/** Sentences and names for decisions: what a button does, what an action costs and does, why the server advises it. */

import type { Action, Advice, CostItem, Estimate, Event, MarketSlot, Prospect } from "../gen/vinci/v1/game_pb";
import { type Proposal, ProposalKind } from "../gen/vinci/v1/lobby_pb";
import { language, listed, mark, plural, t } from "../i18n/i18n";
import type { Names } from "../match/names";
import { pawns, sentenceOf } from "../match/wording";
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
  stay: mark("No decline"),
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
      return t("Hold with {pawns} and score", { pawns: pawns(sum(kind.value.pawns)) });
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

/** Kinds of events that come first in a preview, since they are easily overlooked. */
const LOSSES: ReadonlySet<string | undefined> = new Set(["evacuated", "declineVanished", "abandoned", "empireCollapsed"]);

/** Return what an action would do, a sentence each: losses, and the rest without turns of others. */
export function effectsOf(events: readonly Event[], names: Names): { losses: readonly string[]; others: readonly string[] } {
  const shown = events.filter(({ kind }) => kind.case !== "turnStarted" && kind.case !== "civilizationDrawn");
  const sentences = (isLoss: boolean): string[] =>
    shown
      .filter(({ kind }) => LOSSES.has(kind.case) === isLoss)
      .map((event) => sentenceOf(event, names))
      .filter((text) => text !== "");
  return { losses: sentences(true), others: sentences(false) };
}

/** Return what a civilization could take and score on the board as it is now. */
export function prospectOf(found: Prospect, names: Names): string {
  const taken = found.provinces.length;
  if (taken === 0) {
    return plural("{n} VP a turn, without a conquest.", "{n} VP a turn, without a conquest.", found.vp);
  }
  const provinces = listedShortly(found.provinces.map((code) => names.province(code)));
  return plural(
    "Could take {n} province now ({provinces}) and score {vp} VP a turn.",
    "Could take {n} provinces now ({provinces}) and score {vp} VP a turn.",
    taken,
    { provinces, vp: found.vp },
  );
}

/** Return what follows if the present civilization goes on, and if it declines for the best new one. */
export function futuresOf(prospects: readonly Prospect[], market: readonly MarketSlot[], names: Names): readonly string[] {
  const lines: string[] = [];
  const present = prospects.find(({ slot }) => slot === 0);
  if (present) {
    const fields = { pawns: present.pawns, vp: present.vp, declined: present.declinedVp };
    lines.push(t("If you go on: {pawns} in hand, {vp} VP this turn from active land, {declined} in decline.", fields));
  }
  const price = ({ slot }: Prospect): number => market[slot - 1]?.price ?? 0;
  const gain = (found: Prospect): number => found.vp + found.declinedVp - price(found);
  const [best] = prospects.filter(({ slot }) => slot > 0).sort((one, other) => gain(other) - gain(one));
  if (best) {
    const civilization = names.civilization(market[best.slot - 1]?.traits ?? []);
    const fields = { civilization, vp: best.vp, declined: best.declinedVp };
    lines.push(t("If you decline: {civilization} could score {vp} VP next turn, and {declined} in decline.", fields));
  }
  return lines;
}

/** Return the reasons of a suggestion: the plan, the result to expect, the main threat, the best decline, the comparison. */
export function reasonsOf(advice: Advice, market: readonly MarketSlot[], names: Names): readonly string[] {
  const { plan, threat, decline, comparison } = advice;
  const lines: string[] = [];
  const [first = "", ...more] = plan.map((step) => stepOf(step, market, names));
  if (comparison && comparison.plan.join() !== plan.join() && comparison.margin && comparison.vp) {
    const fields = { action: first, margin: difference(comparison.margin), vp: difference(comparison.vp) };
    lines.push(
      t(
        "Compared with the best turn, which begins with {action}, the best one that begins so changes the lead over the best opponent by {margin} VP and the final VP by {vp}.",
        fields,
      ),
    );
  } else if (comparison) lines.push(t("The best turn that was found begins so."));
  if (more.length > 0) lines.push(t("The whole turn: {plan}", { plan: [first, ...more].join("; ") }));
  lines.push(expected(advice, names));
  if (threat) {
    const fields = { who: names.seat(threat.seat), provinces: names.provincesObject(threat.provinces), vp: decimal(threat.vp) };
    lines.push(t("Main threat: {who} takes {provinces}, about {vp} VP a turn.", fields));
  }
  const slot = decline && market[decline.slot - 1];
  if (slot && decline.gain) lines.push(declining(decline.gain, names.civilization(slot.traits)));
  return lines;
}

/** Return a step of a plan (docs/notation.md) in short words, such as "Conquer: Alps" for "x ALP". */
function stepOf(notation: string, market: readonly MarketSlot[], names: Names): string {
  const [word = "", ...rest] = notation.split(" ");
  const [first = ""] = rest;
  const named = rest.map((one) => one.replace(/^[A-Z]{3}(?==|$)/, (code) => names.province(code)).replace("=", " "));
  switch (word) {
    case "take":
      return t("Take {civilization}", { civilization: names.civilization(market[Number(first) - 1]?.traits ?? []) });
    case "peace":
      return t("Declare peace with {who}", { who: names.seat(Number(first)) });
    case "x":
      return `${t("Conquer")}: ${named[0] ?? ""}${rest.includes("spy") ? ` (${t("by Spies")})` : ""}`;
    case "abandon":
      return `${t("Abandon")}: ${named.join(", ")}`;
    case "hold":
    case "redeploy":
      return `${t("Place")}: ${named.join(", ").replace(", fort, ", `; ${t("fort")}: `)}`;
    case "decline":
      return t("Decline");
    case "stay":
      return t("No decline");
    default:
      return notation;
  }
}

function expected({ seat, vp, margin, rival }: Advice, names: Names): string {
  const fields = { who: names.seat(seat), vp: size(vp), margin: size(margin), rival: names.seat(rival) };
  if ((margin?.mean ?? 0) >= 0) {
    return t("At the end {who} has about {vp} VP, {margin} VP more than the best opponent, mostly {rival}.", fields);
  }
  return t("At the end {who} has about {vp} VP, {margin} VP less than the best opponent, mostly {rival}.", fields);
}

function declining(gain: Estimate, civilization: string): string {
  if (Math.abs(gain.mean) <= gain.halfWidth) {
    const fields = { civilization, gain: difference(gain) };
    return t("To decline now and take {civilization} is about as good as going on: {gain} VP.", fields);
  }
  const fields = { civilization, gain: size(gain) };
  if (gain.mean > 0) return t("To decline now and take {civilization} is {gain} VP better than going on.", fields);
  return t("To decline now and take {civilization} is {gain} VP worse than going on.", fields);
}

/** Return what is proposed, by whom, and who has yet to agree. */
export function proposalOf({ kind, seat, agreed, missing }: Proposal, names: Names): string {
  const fields = {
    who: listed(agreed.map((one) => names.seat(one))),
    missing: listed(missing.filter((one) => one !== seat).map((one) => names.seat(one))),
    whom: names.seat(seat),
  };
  switch (kind) {
    case ProposalKind.PAUSE:
      return plural(
        "{who} proposes a pause; missing: {missing}.",
        "{who} propose a pause; missing: {missing}.",
        agreed.length,
        fields,
      );
    case ProposalKind.RESUME:
      return plural(
        "{who} proposes going on; missing: {missing}.",
        "{who} propose going on; missing: {missing}.",
        agreed.length,
        fields,
      );
    default:
      return plural(
        "{who} proposes a substitute for {whom}; missing: {missing}.",
        "{who} propose a substitute for {whom}; missing: {missing}.",
        agreed.length,
        fields,
      );
  }
}

/** Return the outcome of a game that is over, in sentences: who wins, and by how much. */
export function outcomeOf(ranks: readonly number[], vp: readonly number[], round: number, names: Names): readonly string[] {
  const order = ranking(ranks);
  const best = order.filter((seat) => ranks[seat - 1] === 1);
  const [first = 1, second] = order;
  const fields = { vp: vp[first - 1] ?? 0, rounds: plural("{n} round", "{n} rounds", round) };
  if (best.length > 1) {
    const who = listed(best.map((seat) => names.seat(seat)));
    return [t("{who} share the first place with {vp} VP after {rounds}.", { ...fields, who })];
  }
  const lines = [t("{who} wins with {vp} VP after {rounds}.", { ...fields, who: names.seat(first) })];
  if (second !== undefined) {
    const ahead = fields.vp - (vp[second - 1] ?? 0);
    lines.push(plural("{n} VP ahead of {who}.", "{n} VP ahead of {who}.", ahead, { who: names.seat(second) }));
  }
  return lines;
}

/** Return the seats by rank, the best first. */
export function ranking(ranks: readonly number[]): readonly number[] {
  const seats = ranks.map((_, place) => place + 1);
  return seats.sort((one, other) => (ranks[one - 1] ?? 0) - (ranks[other - 1] ?? 0));
}

/** Return a number with its sign. */
export function signed(number: number): string {
  return number > 0 ? `+${number}` : String(number).replace("-", "−");
}

const MOST_LISTED = 4;

function listedShortly(words: readonly string[]): string {
  return words.slice(0, MOST_LISTED).join(", ") + (words.length > MOST_LISTED ? " …" : "");
}

function decimal(number: number): string {
  return number.toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

function size(estimate: Estimate | undefined): string {
  return `${decimal(Math.abs(estimate?.mean ?? 0))} ± ${decimal(estimate?.halfWidth ?? 0)}`;
}

function difference({ mean, halfWidth }: Estimate): string {
  return `${mean > 0 ? "+" : ""}${decimal(mean)} ± ${decimal(halfWidth)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
