/** The draws of the rules: each is the candidate with the smallest SHA-256 of seed, purpose, key and candidate (docs/chance.md). */

import { hashOf } from "./sha";

/** Draws of one seed, noted as records note them: a single candidate is taken without a draw. */
export class Chance {
  readonly picks: string[] = [];

  constructor(private readonly seed: string) {}

  pick(purpose: string, key: readonly number[], candidates: readonly string[]): string {
    if (candidates.length === 1) return candidates[0] ?? "";
    let [picked, smallest] = ["", ""];
    for (const candidate of candidates) {
      const hash = hashOf(`${this.seed}|${purpose}|${key.join(".")}|${candidate}`);
      if (!smallest || hash < smallest) [picked, smallest] = [candidate, hash];
    }
    this.picks.push(picked);
    return picked;
  }
}

/** Return the seed of the draws of a secret game: that of the server, mixed with the nonces of all seats. */
export function mixedSeed(seed: string, salt: string, nonces: readonly string[]): string {
  return hashOf([seed, salt, ...nonces].join("|"));
}

/** Draw the order of play: of seats with dummies one by one, else the first seat (R-SETUP-5, R-DUMMY-1). */
export function drawOrder(chance: Chance, dummies: readonly boolean[]): readonly number[] {
  const seats = dummies.map((_, place) => String(place + 1));
  if (!dummies.includes(true)) {
    const first = Number(chance.pick("first", [], seats)) - 1;
    return seats.map((_, place) => ((first + place) % seats.length) + 1);
  }
  const order: number[] = [];
  let left = seats;
  while (left.length > 0) {
    const next = chance.pick("order", [order.length], left);
    left = left.filter((seat) => seat !== next);
    order.push(Number(next));
  }
  return order;
}

/** Copies of each trait in the bag. */
export type Bag = Map<string, number>;

/** Remove a trait from a bag, or with a negative number of copies put it back; whether it was there. */
export function take(bag: Bag, trait: string, copies = 1): boolean {
  const left = (bag.get(trait) ?? 0) - copies;
  bag.set(trait, left);
  return left >= 0;
}

const SPECIALIZATION = "SPE";

/** Draw the two traits of a civilization out of a bag (R-SETUP-4); `fill` numbers the civilizations of the game from 0. */
export function drawCivilization(chance: Chance, bag: Bag, fill: number, redrawsPairs: boolean): readonly [string, string] {
  let attempt = 0;
  const draw = (position: number): string => {
    const candidates = [...bag].flatMap(([trait, copies]) => Array.from({ length: copies }, (_, copy) => `${trait}#${copy + 1}`));
    const trait = chance.pick("market", [fill, attempt, position], candidates).split("#")[0] ?? "";
    take(bag, trait);
    return trait;
  };
  const aside: string[] = [];
  let [first, second] = [draw(0), draw(1)];
  while (first === second && (redrawsPairs || first === SPECIALIZATION)) {
    attempt += 1;
    if (redrawsPairs) {
      take(bag, first, -2);
      first = draw(0);
    } else aside.push(second);
    second = draw(1);
  }
  for (const trait of aside) take(bag, trait, -1);
  return [first, second];
}
