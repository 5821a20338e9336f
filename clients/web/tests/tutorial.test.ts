import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import { ActionSchema, type Update, UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import type { Lessons, Step } from "../src/tutorial/lessons";
import english from "../src/tutorial/lessons/en.json";
import { endsWith, objection, placeOf, withRead, wordsOf } from "../src/tutorial/tutor";

const step = (wants: string, some: Partial<Step> = {}): Step => ({ title: "", text: "", hint: "", wants, withWord: "", times: 1, also: [], province: "", ...some });
const STEPS = [
  step(""),
  step("take 2", { hint: "the second one" }),
  step(""),
  step("x", { times: 2, hint: "conquer" }),
  step("hold", { withWord: "fort", also: ["x"], hint: "with a fort" }),
  step(""),
];
const LESSONS: Lessons = { ...english, steps: STEPS };

/** Return updates with these actions of the pupil, from revision 1 on; "undo N" goes back to a revision, "2: x" is of seat 2. */
function played(...notations: string[]): readonly Update[] {
  return notations.map((text, at) => {
    const revision = BigInt(at + 1);
    if (text.startsWith("undo")) return create(UpdateSchema, { revision, undoTo: BigInt(text.slice(5)) });
    const [, seat, notation = ""] = /^(?:(\d): )?(.*)$/.exec(text) ?? [];
    return create(UpdateSchema, { revision, seat: Number(seat ?? 1), notation });
  });
}

const place = (...notations: string[]): readonly [number, number] => {
  const { step, done } = placeOf(LESSONS, played(...notations));
  return [step, done];
};

describe("progress in the tutorial", () => {
  test("an action of a step ends it, steps before that were only to be read are skipped", () => {
    expect(place()).toEqual([0, 0]);
    expect(place("take 2")).toEqual([2, 0]);
    expect(place("take 2", "x ALP")).toEqual([3, 1]);
    expect(place("take 2", "x ALP", "x LOM")).toEqual([4, 0]);
    expect(place("take 2", "x ALP", "x LOM", "hold ALP=1 LOM=1")).toEqual([4, 0]);
    expect(place("take 2", "x ALP", "x LOM", "hold ALP=1 LOM=1 fort ALP")).toEqual([5, 0]);
  });

  test("what others do, and other actions, end nothing", () => {
    expect(place("take 2", "2: x ALP")).toEqual([2, 0]);
    expect(place("take 1")).toEqual([0, 0]);
    expect(place("take 21")).toEqual([0, 0]);
  });

  test("an undo leads back to the step of what was taken back", () => {
    expect(place("take 2", "x ALP", "x LOM", "undo 2")).toEqual([3, 1]);
    expect(place("take 2", "x ALP", "x LOM", "undo 2", "undo 0")).toEqual([0, 0]);
    expect(place("take 2", "x ALP", "undo 1", "x LOM")).toEqual([3, 1]);
  });

  test("reading goes on from where the actions lead, and no further after an undo", () => {
    const after = placeOf(LESSONS, played("take 2"));
    expect(withRead(after, { from: 2, to: 3 })).toEqual({ step: 3, done: 0 });
    expect(withRead(placeOf(LESSONS, played("take 2", "undo 0")), { from: 2, to: 3 })).toEqual({ step: 0, done: 0 });
    expect(withRead(placeOf(LESSONS, played("take 2", "x ALP")), { from: 2, to: 3 })).toEqual({ step: 3, done: 1 });
  });

  test("other actions get the hint of the step, but for those that are always allowed", () => {
    const start = { step: 0, done: 0 };
    expect(objection(LESSONS, start, "take 1")).toBe("the second one");
    expect(objection(LESSONS, start, "take 2")).toBe("");
    expect(objection(LESSONS, start, "redeploy")).toBe("");
    expect(objection(LESSONS, { step: 4, done: 0 }, "hold")).toBe("with a fort");
    expect(objection(LESSONS, { step: 4, done: 0 }, "x NAP")).toBe("");
    expect(objection(LESSONS, { step: 5, done: 0 }, "decline")).toBe("");
  });

  test("chosen actions are compared in the same notation as played ones", () => {
    const words = (kind: Parameters<typeof create<typeof ActionSchema>>[1]): string => wordsOf(create(ActionSchema, kind));
    expect(words({ kind: { case: "take", value: { slot: 2 } } })).toBe("take 2");
    expect(words({ kind: { case: "conquer", value: { province: "ALP", spies: false } } })).toBe("x ALP");
    expect(words({ kind: { case: "hold", value: { forts: ["ALP"] } } })).toBe("hold fort");
    expect(words({ kind: { case: "hold", value: {} } })).toBe("hold");
    expect(words({ kind: { case: "decline", value: {} } })).toBe("decline");
    expect(endsWith(step("hold", { withWord: "fort" }), words({ kind: { case: "hold", value: { forts: ["ALP"] } } }))).toBe(true);
  });
});
