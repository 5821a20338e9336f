/** Why an action is illegal, in words: the rule that it breaks, with the facts. */

import { type Failure, failureOf } from "../connection/errors";
import type { Refusal } from "../gen/vinci/v1/game_pb";
import type { Names } from "../match/names";
import { sentence } from "../match/sentences";

/** An action would be refused. */
export class Illegal extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.reason);
  }
}

/** Return the sentence for an error of a preview. */
export function refusalOf(error: unknown, names: Names): string {
  if (!(error instanceof Illegal)) return refusal(failureOf(error), names);
  const { rule, reason: violation, facts } = error.refusal;
  return refusal({ isGone: false, reason: "ILLEGAL_ACTION", facts: { ...facts, rule, violation }, text: `${violation} (${rule}).` }, names);
}

/** Return the sentence for a failure of an action: if it breaks a rule, why, and which rule. */
export function refusal({ facts, text }: Failure, names: Names): string {
  const { rule, violation = "" } = facts;
  const isViolation = /^[A-Z]/.test(violation); // facts of a refusal are texts, those of other sentences are not
  const broken = isViolation ? sentence(violation, facts, names) : "";
  if (!broken || violation === "GameIsOver" || !rule) return broken || text;
  return `${broken.replace(/\.$/, "")} (${rule}).`;
}
