/** What the check of a game's draws tells a player, in words. */

import { plural, t } from "../i18n/i18n";
import type { Fault, Verdict } from "./check";

/** Return the sentences of a verdict. */
export function told(verdict: Verdict): string {
  if (verdict.kind === "unchecked") return unchecked(verdict.why);
  if (verdict.kind === "fault") {
    const why = reason(verdict.fault);
    return t("The draws of this game cannot be trusted: {why}. Keep its record, and ask whoever runs the server.", { why });
  }
  const { draws, hasOwnNonce, ties, voided } = verdict;
  if (draws === undefined) {
    return t("The seed is the one committed before the game. The draws were not checked: the server has other rules.");
  }
  const sentences = [
    plural("{n} draw checked.", "{n} draws checked.", draws),
    hasOwnNonce
      ? t("The draws are those of the seed committed before the game; your number is in it.")
      : t("The draws are those of the seed committed before the game; no number of yours is in it."),
  ];
  if (voided > 0) {
    sentences.push(
      plural(
        "They were drawn again {n} time since a player's number did not come.",
        "They were drawn again {n} times since a player's number did not come.",
        voided,
      ),
    );
  }
  if (ties > 0) {
    sentences.push(
      plural(
        "{n} draw of a dummy between provinces was not checked here: save the record and type vinci replay FILE --verify.",
        "{n} draws of dummies between provinces were not checked here: save the record and type vinci replay FILE --verify.",
        ties,
      ),
    );
  }
  return sentences.join(" ");
}

/** Return the sentence for draws that were not checked. */
export function unchecked(why: "unknown" | "no result" | { readonly failure: string }): string {
  if (why === "unknown") {
    return notChecked(t("nothing was known about its seed when you took your seat, as with older servers and clients"));
  }
  return notChecked(why === "no result" ? t("the server has given no record with a result") : why.failure.replace(/\.$/, ""));
}

function notChecked(why: string): string {
  return t("The draws of this game were not checked: {why}.", { why });
}

function reason({ what, facts = {} }: Fault): string {
  switch (what) {
    case "commitment":
      return t("it has another commitment than the server had published when you took your seat");
    case "sealed":
      return t("whether its seed was chosen is not what the server had said when you took your seat");
    case "position":
      return t("whether it starts from a position is not what the server had said when you took your seat");
    case "own nonce":
      return t("your number is not in the seed");
    case "no reveal":
      return t("the server has not revealed the seed");
    case "seed":
      return t("the seed that was revealed is not the one committed to");
    case "hashes":
      return t("it has other hashes of the players' numbers than the server had published before the game");
    case "nonce":
      return t("the number of seat {seat} is not the one whose hash was published", facts);
    case "unreadable":
      return t("its record cannot be read ({error})", facts);
    case "other game":
      return t("line {line} of its record is not what was played", facts);
    case "traits":
      return t("line {line} of its record has more of the trait {trait} than there are", facts);
    case "draw":
      return t("line {line} of its record has {found} where the seed gives {drawn}", facts);
  }
}
