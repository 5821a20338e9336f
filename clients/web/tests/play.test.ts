import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import { ActionSchema, type Legal, LegalSchema } from "../src/gen/vinci/v1/game_pb";
import { actionOf, type Choice, choiceOf, marksOf, modesOf, startingChoice, targetsOf, withMode } from "../src/play/choice";
import { actionOf as placed, add, bounds, keepingPart, places, suggested, toggleFort } from "../src/play/plan";

const legalOf = (some: MessageInitShape<typeof LegalSchema>): Legal => create(LegalSchema, some);
const TURN = legalOf({
  conquer: ["ALP", "BAV", "SAX"],
  cost: [4, 3, 2],
  worth: [0, 1, 1],
  conquerBySpies: ["ALP", "POL"],
  abandon: ["PAN"],
  peace: [2],
  decline: true,
  hold: { parts: [{ provinces: ["PAN", "DAC"], least: 5, most: 5 }], forts: 1, suggestion: { provinces: ["PAN", "DAC"], pawns: [3, 2] } },
});
const chosen = (legal: Legal, some: Partial<Choice> = {}): Choice => {
  const start = startingChoice(legal, 7n);
  if (!start) throw new Error("nothing is legal");
  return { ...start, ...some };
};

describe("a choice", () => {
  test("offers what is legal, conquests first", () => {
    expect(modesOf(TURN)).toEqual(["conquer", "hold", "peace", "abandon", "decline"]);
    expect(modesOf(legalOf({ take: [1, 2] }))).toEqual(["draft"]);
    expect(modesOf(legalOf({ stay: true, decline: true }))).toEqual(["stay", "decline"]);
    expect(startingChoice(legalOf({}), 1n)).toBeUndefined();
  });

  test("becomes an action only if that is legal", () => {
    expect(actionOf(chosen(TURN), "PAR", TURN)).toBeUndefined();
    expect(actionOf(chosen(TURN), "BAV", TURN)?.kind).toMatchObject({ case: "conquer", value: { province: "BAV", spies: false } });
    expect(actionOf(chosen(TURN, { mode: "abandon" }), "BAV", TURN)).toBeUndefined();
    expect(actionOf(chosen(TURN, { mode: "peace", seat: 3 }), "", TURN)).toBeUndefined();
    expect(actionOf(chosen(TURN, { mode: "peace", seat: 2 }), "", TURN)?.kind).toMatchObject({ case: "peace", value: { seat: 2 } });
  });

  test("conquers by Spies where that is chosen, or the only way", () => {
    const spies = (choice: Choice, province: string): unknown => actionOf(choice, province, TURN)?.kind.value;
    expect(spies(chosen(TURN), "ALP")).toMatchObject({ spies: false });
    expect(spies(chosen(TURN, { spies: true }), "ALP")).toMatchObject({ spies: true });
    expect(spies(chosen(TURN, { spies: true }), "BAV")).toMatchObject({ spies: false });
    expect(spies(chosen(TURN), "POL")).toMatchObject({ spies: true });
  });

  test("lists targets by worth, then cost, those for Spies alone last", () => {
    expect(targetsOf(TURN).map(({ province, cost }) => `${province} ${cost}`)).toEqual(["SAX 2", "BAV 3", "ALP 4", "POL 2"]);
  });

  test("marks the selected target and what the action loses", () => {
    const marks = marksOf(chosen(TURN), "SAX", TURN, ["DAL"]);
    expect(Object.fromEntries([...marks].map(([code, { kind, text }]) => [code, `${kind} ${text}`]))).toEqual({
      SAX: "chosen 2",
      BAV: "target 3",
      ALP: "target 4",
      POL: "target 2",
      DAL: "lost ",
    });
  });

  test("takes over every suggested action", () => {
    const kinds: MessageInitShape<typeof ActionSchema>["kind"][] = [
      { case: "conquer", value: { province: "ALP", spies: true } },
      { case: "abandon", value: { province: "PAN" } },
      { case: "peace", value: { seat: 2 } },
      { case: "decline", value: {} },
      { case: "hold", value: { provinces: ["PAN", "DAC"], pawns: [1, 4], forts: ["DAC"] } },
    ];
    for (const kind of kinds) {
      const action = create(ActionSchema, kind ? { kind } : {});
      const found = choiceOf(action, chosen(TURN), TURN);
      expect(found && actionOf(found.choice, found.province, TURN)).toEqual(action);
    }
  });
});

describe("a placement", () => {
  const start = suggested("hold", TURN);
  if (!start) throw new Error("no placement is suggested");

  test("starts with the one that the server suggests", () => {
    expect(placed(start, TURN)?.kind.value).toMatchObject({ provinces: ["PAN", "DAC"], pawns: [3, 2], forts: [] });
  });

  test("is no action while pawns are left, and never has more than there are", () => {
    const less = add(start, TURN, "PAN", -1);
    expect([placed(less, TURN), bounds(less, TURN).placed]).toEqual([undefined, 4]);
    expect(add(less, TURN, "DAC", 9).pawns.get("DAC")).toBe(3);
    expect(add(start, TURN, "DAC", 1)).toBe(start);
    expect(add(start, TURN, "ALP", 1)).toBe(start);
  });

  test("loses a fort with the last pawn", () => {
    const fort = toggleFort(start, TURN, "DAC");
    expect([...fort.forts]).toEqual(["DAC"]);
    expect([...toggleFort(fort, TURN, "PAN").forts]).toEqual(["DAC"]);
    expect([...add(fort, TURN, "DAC", -2).forts]).toEqual([]);
  });

  test("keeps one part of a divided empire, with any number of pawns from the least to the most", () => {
    const split = legalOf({
      hold: {
        parts: [
          { provinces: ["PAN"], least: 2, most: 2 },
          { provinces: ["BAV", "SAX", "POL"], least: 4, most: 5 },
        ],
        suggestion: { provinces: ["BAV", "SAX", "POL"], pawns: [2, 2, 1] },
      },
    });
    const choice = withMode(chosen(split), "hold", split);
    expect([choice.plan?.part, choice.plan && places(choice.plan, split)]).toEqual([1, ["BAV", "SAX", "POL"]]);
    const plan = keepingPart(split, 1);
    expect(Object.fromEntries(plan.pawns)).toEqual({ BAV: 2, SAX: 2, POL: 1 });
    expect(placed(add(plan, split, "BAV", -1), split)).toBeDefined();
    expect(placed(add(plan, split, "BAV", -2), split)).toBeUndefined();
    expect(marksOf({ ...choice, plan }, "", split, []).get("PAN")).toEqual({ kind: "lost", text: "", pawns: 0, fort: false });
  });

  test("of survivors takes all of them", () => {
    const survivors = legalOf({ redeploy: { pawns: 2, provinces: ["PAN", "DAC"], suggestion: { provinces: ["PAN"], pawns: [2] } } });
    const plan = suggested("redeploy", survivors);
    if (!plan) throw new Error("no placement is suggested");
    const other = add(add(plan, survivors, "PAN", -2), survivors, "DAC", 2);
    expect(placed(other, survivors)?.kind).toMatchObject({ case: "redeploy", value: { provinces: ["DAC"], pawns: [2] } });
  });
});
