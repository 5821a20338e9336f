/** What is marked on the board for the decision at hand. */

import type { Model } from "./model";
import { legal } from "./selectors";

/** A mark of a province: something that can be chosen, that is chosen, or that would be lost; a short text, such as a cost; and the pawns that are placed there. */
export interface Mark {
  readonly kind: "target" | "chosen" | "lost";
  readonly text: string;
  readonly pawns?: number;
  readonly fort?: boolean;
}

export type Marks = ReadonlyMap<string, Mark>;

export const NO_MARKS: Marks = new Map();

/** Return the provinces that the seat played here may conquer, with their costs. */
export function targets(model: Model): Marks {
  const may = legal(model);
  if (!may) return NO_MARKS;
  const marks = new Map<string, Mark>();
  for (const code of may.conquerBySpies) marks.set(code, { kind: "target", text: "2" });
  may.conquer.forEach((code, place) => marks.set(code, { kind: "target", text: String(may.cost[place] ?? "") }));
  return marks;
}
