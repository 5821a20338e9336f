/** Attacks of an update, as arrows over the board. */

import { type Board, type Event, Holding, type State, type Update } from "../gen/vinci/v1/game_pb";

/** More than any garrison has. */
const MOUNTAIN = 1000;

/** A conquest: the attacker, a province of its from which it may have come (empty for none), and its object. */
export interface Attack {
  readonly seat: number;
  readonly origin: string;
  readonly target: string;
}

/** Return the conquests of an update; none without the position before it, as it is not known then where they came from. */
export function attacksOf(update: Update | undefined, before: State | undefined, board: Board): readonly Attack[] {
  const attacks: Attack[] = [];
  if (!update || !before) return attacks;
  for (const event of update.events) {
    const attack = attackOf(event, before, board);
    if (attack) attacks.push(attack);
  }
  return attacks;
}

/** Return the attack of an event; undefined for another event. */
export function attackOf({ kind }: Event, before: State, board: Board): Attack | undefined {
  if (kind.case !== "conquered") return undefined;
  const { seat, province } = kind.value;
  return { seat, origin: originOf(seat, province, before, board), target: province };
}

/** Return the province of an active empire from which it attacks a neighbour: a mountain, as it is cheapest (R-CONQ-4), else the largest garrison; empty if there is none. */
export function originOf(seat: number, target: string, before: State, board: Board): string {
  const neighbours = new Set(board.provinces.find(({ code }) => code === target)?.neighbours);
  const mountains = new Set(board.provinces.filter(({ terrain }) => terrain === "mountain").map(({ code }) => code));
  let [origin, most] = ["", 0];
  before.provinces.forEach((code, place) => {
    const pawns = (before.pawns[place] ?? 0) + (mountains.has(code) ? MOUNTAIN : 0);
    const isHis = before.owners[place] === seat && before.holdings[place] === Holding.ACTIVE;
    if (isHis && neighbours.has(code) && pawns > most) [origin, most] = [code, pawns];
  });
  return origin;
}
