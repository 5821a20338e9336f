/** Why an action is illegal, in words: the rule that it breaks, with the facts. */

import type { Failure } from "../connection/errors";
import type { Names } from "../match/names";
import { sentence } from "../match/sentences";

/** Return the sentence for a failure of an action: if it breaks a rule, why, and which rule. */
export function refusal({ facts, text }: Failure, names: Names): string {
  const { rule, violation = "" } = facts;
  const isViolation = /^[A-Z]/.test(violation); // facts of a refusal are texts, those of other sentences are not
  const broken = isViolation ? sentence(violation, facts, names) : "";
  if (!broken || violation === "GameIsOver" || !rule) return broken || text;
  return `${broken.replace(/\.$/, "")} (${rule}).`;
}
