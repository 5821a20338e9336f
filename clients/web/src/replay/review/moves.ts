/** A turn of a review in words, and by arrows; the terminal client has the same sentences (vinci_cli/text/moves.py, vinci_cli/review/words.py). */

import { signed, t } from "../../i18n/i18n";
import type { Board, State } from "../../gen/vinci/v1/game_pb";
import type { ReviewedMoves, ReviewedTurn } from "../../gen/vinci/v1/match_pb";
import { type Attack, originOf } from "../../match/attacks";
import type { Names } from "../../match/names";
import { sentence } from "../../match/sentences";
import { placed } from "../../match/wording";

/** Figures below are shown as 0. */
const SMALLEST = 0.05;

type Loss = Pick<NonNullable<ReviewedTurn["loss"]>, "mean" | "halfWidth">;
const NO_LOSS: Loss = { mean: 0, halfWidth: 0 };

/** How good a turn was: as good as any that was found, clearly worse, or neither for certain. */
export type Grade = "good" | "costly" | "even";

/** Return the actions of a turn as a list of what is done; the defence only if it is asked for. */
export function movesOf({ actions, traits }: ReviewedMoves, names: Names, hasDefence = false): string {
  const words = actions.map((action) => action.split(" "));
  const rests = (verb: string): string[][] => words.filter(([first]) => first === verb).map(([, ...rest]) => rest);
  const named = (verb: string): string[] => rests(verb).flatMap(([code]) => code ?? []);
  const holds = rests("hold").filter((rest) => (hasDefence && rest.length > 0) || named("x").length === 0);
  const moves: object[] = [
    { verb: "abandon", provinces: named("abandon") },
    ...named("peace").map((seat) => ({ verb: "peace", seat })),
    { verb: "x", provinces: named("x") },
    ...holds.map((rest) => ({ verb: "hold", ...placed(hasDefence ? rest : []) })),
    ...rests("redeploy").map((rest) => ({ verb: "redeploy", ...placed(rest) })),
    ...(hasDefence ? rests("stay").map(() => ({ verb: "stay" })) : []),
    ...rests("decline").map(() => ({ verb: "decline" })),
    { verb: "take", traits },
  ];
  return moves.map((move) => sentence("move", move, names)).filter(Boolean).join(t("; "));
}

/** Return the grade of a turn; undefined for one without a choice, and for turns of dummies. */
export function gradeOf(turn: ReviewedTurn): Grade | undefined {
  const { preferred, choices, loss = NO_LOSS } = turn;
  if (!preferred || choices === 1) return undefined;
  return loss.mean === 0 ? "good" : isClear(loss) && !isWon(turn) && !turn.suggested ? "costly" : "even";
}

/** Return whether a loss excludes 0 and is not shown as 0. */
function isClear({ mean, halfWidth }: Loss): boolean {
  return mean > Math.max(halfWidth, SMALLEST);
}

/** Return whether the seat wins after the turn in every simulation. */
function isWon({ seat, wins }: ReviewedTurn): boolean {
  return wins[seat - 1] === 1;
}

/** Return what a turn has lost; empty if it was not compared. */
export function verdictOf(turn: ReviewedTurn, names: Names): string {
  const { played, preferred, choices, loss = NO_LOSS, suggested } = turn;
  if (!preferred || !played) return "";
  const { mean, halfWidth } = loss;
  const [shown = 0, half = 0] = [mean, halfWidth].map((value) => (value < SMALLEST ? 0 : value));
  const facts = { choices, same: isSame(played, preferred), equal: mean === 0 && halfWidth === 0, clear: isClear(loss), won: isWon(turn), suggested, mean: shown, half };
  return sentence("verdict", facts, names);
}

/** Return what was played. */
export function playedOf(turn: ReviewedTurn, names: Names): string {
  return turn.played ? movesOf(turn.played, names, differsInDefence(turn, names)) : "";
}

/** Return the turn that is preferred or as good; empty if it was played, or none was searched. */
export function betterOf(turn: ReviewedTurn, names: Names): string {
  const { played, preferred, loss = NO_LOSS } = turn;
  if (!preferred || !played || isSame(played, preferred)) return "";
  const clear = isClear(loss);
  return sentence("preferred", { clear, turn: movesOf(preferred, names, differsInDefence(turn, names)) + (clear ? reasonOf(turn) : "") }, names);
}

/** Return what a better turn would have brought, with a blank before it; nothing from an older server. */
function reasonOf({ now, loss, vpLoss }: ReviewedTurn): string {
  if (now === undefined) return "";
  const [lead, own] = [loss?.mean ?? 0, vpLoss?.mean ?? 0];
  return sentence("preferredReason", { now: signed(now), own: signed(Math.round(own)), others: signed(Math.round(own - lead)) });
}

/** Return the conquests of the turn that is preferred, each from a province held before or conquered earlier in it. */
export function arrowsOf({ seat, preferred }: ReviewedTurn, before: State | undefined, board: Board): readonly Attack[] {
  const attacks: Attack[] = [];
  for (const action of preferred?.actions ?? []) {
    const [verb, target = ""] = action.split(" ");
    if (verb !== "x" || !before) continue;
    const neighbours = new Set(board.provinces.find(({ code }) => code === target)?.neighbours);
    const earlier = attacks.find((attack) => neighbours.has(attack.target));
    attacks.push({ seat, origin: originOf(seat, target, before, board) || (earlier?.target ?? ""), target });
  }
  return attacks;
}

function isSame(one: ReviewedMoves, other: ReviewedMoves): boolean {
  return one.actions.join() === other.actions.join();
}

/** Return whether only the defence tells the turn played from the one preferred. */
function differsInDefence({ played, preferred }: ReviewedTurn, names: Names): boolean {
  return !!played && !!preferred && !isSame(played, preferred) && movesOf(played, names) === movesOf(preferred, names);
}
