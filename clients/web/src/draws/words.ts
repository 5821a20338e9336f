/** What the check of a game's draws tells a player, in words. */

import { plural } from "../i18n/i18n";
import { sentence } from "../match/sentences";
import type { Verdict } from "./check";

/** Return the sentences of a verdict, the short one first. */
export function told(verdict: Verdict): readonly string[] {
  if (verdict.kind === "unchecked") return [unchecked(verdict.why)];
  if (verdict.kind === "fault") {
    const { what, facts } = verdict.fault;
    return [sentence("drawsFault", { why: sentence("drawsWhy", { what, ...facts }) })];
  }
  const { draws, hasOwnNonce, ties, voided } = verdict;
  const seed = sentence("draws", { otherRules: draws === undefined, numbers: Number(hasOwnNonce) });
  if (!draws) return [seed];
  const sentences = [plural("Chance was fair: this device checked {n} draw.", "Chance was fair: this device checked all {n} draws.", draws), seed];
  if (voided > 0) sentences.push(sentence("drawsAgain", { n: voided }));
  if (ties > 0) {
    sentences.push(
      plural(
        "{n} draw of a dummy between provinces was not checked here: save the record and type vinci replay FILE --verify.",
        "{n} draws of dummies between provinces were not checked here: save the record and type vinci replay FILE --verify.",
        ties,
      ),
    );
  }
  return sentences;
}

/** Return the sentence for draws that were not checked. */
export function unchecked(why: "unknown" | "no_result" | { readonly failure: string }): string {
  return sentence("drawsUnchecked", { why: typeof why === "string" ? sentence("drawsWhy", { what: why }) : why.failure.replace(/\.$/, "") });
}
