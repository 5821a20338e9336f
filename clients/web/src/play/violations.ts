/** Why an action is illegal, in words: the rule that it breaks, with the facts. */

import type { Failure } from "../connection/errors";
import { mark, plural, t, translated } from "../i18n/i18n";
import type { Names } from "../match/names";

const VIOLATIONS: Readonly<Record<string, string>> = {
  NotNow: mark("Not now: what fits here is {words}."),
  MustDecline: mark("Your empire lost its last province: you must decline."),
  NoSuchSlot: mark("There is no slot {slot}; the market has 1 to {slots}."),
  TooExpensive: mark("That costs {needed} VP; you have {available}."),
  NoMorePeace: mark("You have no Diplomacy."),
  NotAnOpponent: mark("Peace is for another seat that still plays and is not named yet."),
  NotHeld: mark("Your active empire does not hold {province}."),
  OwnProvince: mark("You hold {province} already."),
  AtPeace: mark("There is peace with {who}, who holds {province}."),
  InContact: mark("Your declined empire holds or touches {province}."),
  OwnHeritage: mark("With Heritage you do not conquer your own declined provinces."),
  OutOfReach: mark("You cannot reach {province}; within reach: {codes}."),
  NoSpies: mark("You have no Spies."),
  NotEnoughPawns: mark("Conquering {province} costs {needed}; you have {available} in hand."),
  MustConquer: mark("Without land you conquer a first province while you can: {codes}."),
  WrongNumberOfPawns: mark("You placed {placed} pawns; place {least} to {most}."),
  WrongPlacement: mark("Name {province} once, with at least one pawn."),
  NotConnected: mark("The provinces that you keep must be connected; {part} are."),
  WrongNumberOfProvinces: mark("With these pawns you keep {needed} of {part}, not {kept}."),
  NoFortHere: mark("A fort needs a province that you keep and that has none: not {province}."),
  NoSuchSeat: mark("There is no seat {seat} that could leave the game."),
  GameIsOver: mark("The game is over."),
};

/** Return the sentence for a failure of an action: if it breaks a rule, why, and which rule. */
export function refusal({ facts, text }: Failure, names: Names): string {
  const { rule, violation = "" } = facts;
  const sentence = broken(violation, facts, names);
  if (!sentence || violation === "GameIsOver" || !rule) return sentence || text;
  return `${sentence.replace(/\.$/, "")} (${rule}).`;
}

/** Return why an action is illegal; empty for a violation that this page does not know. */
function broken(violation: string, facts: Failure["facts"], names: Names): string {
  const copies = Number(facts["copies"] ?? 0);
  if (violation === "NoMorePeace" && copies > 0) {
    return plural("Diplomacy names {n} opponent a turn, and you have.", "Diplomacy names {n} opponents a turn, and you have.", copies);
  }
  if (violation === "NoSpies" && copies > 0) return t("You have used your Spies this turn.");
  if (violation === "TooManyForts") {
    return plural("You may build {n} fort this turn.", "You may build {n} forts this turn.", copies);
  }
  if (violation === "WrongNumberOfPawns" && facts["least"] === facts["most"]) {
    return t("You placed {placed} pawns; place {most}.", facts);
  }
  const text = Object.hasOwn(VIOLATIONS, violation) ? VIOLATIONS[violation] : undefined;
  const provinces = facts["reachable"] ?? facts["affordable"] ?? "";
  return text === undefined
    ? ""
    : translated(text, {
        ...facts,
        province: names.provinceObject(facts["province"] ?? ""),
        words: (facts["legal"] ?? "").split(" ").join(", "),
        codes: provinces || t("nothing"),
        who: names.seat(Number(facts["seat"] ?? 0)),
      });
}
