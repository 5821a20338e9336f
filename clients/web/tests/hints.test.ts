import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import { Holding, Phase, StateSchema, UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { MatchSchema, MatchStatus } from "../src/gen/vinci/v1/lobby_pb";
import { initial, type Model } from "../src/match/model";
import { hintOf } from "../src/tutorial/hints";
import english from "../src/tutorial/lessons/en.json";

const LAND = { provinces: ["ALP", "BAE"], owners: [1, 2], holdings: [Holding.ACTIVE, Holding.ACTIVE], pawns: [2, 2] };
const LANDLESS = { ...LAND, owners: [1, 2], holdings: [Holding.DECLINED, Holding.ACTIVE] };

/** Return what seat 1 knows of a match. */
function at(position: MessageInitShape<typeof StateSchema>, match: MessageInitShape<typeof MatchSchema> = {}): Model {
  const shown = create(UpdateSchema, { revision: 3n, state: create(StateSchema, { round: 1, seatToAct: 1, phase: Phase.CONQUER, ...position }) });
  return { ...initial("m", 1), connection: "open", latest: 3n, shown, match: create(MatchSchema, { status: MatchStatus.RUNNING, ...match }) };
}

describe("hints for a first game", () => {
  test("conquests: to enter, to begin a later turn, and to go on", () => {
    expect(hintOf(at(LANDLESS), "conquer")).toBe("entry");
    expect(hintOf(at({ ...LANDLESS, phase: Phase.START }), "conquer")).toBe("entry");
    expect(hintOf(at({ ...LAND, phase: Phase.START }), "conquer")).toBe("again");
    expect(hintOf(at(LAND), "conquer")).toBe("conquer");
  });

  test("each other decision has its own", () => {
    for (const mode of ["draft", "abandon", "peace", "hold", "redeploy", "decline", "stay"] as const) {
      expect(hintOf(at(LAND), mode)).toBe(mode);
      expect(english.hints[mode].length).toBeGreaterThan(60);
    }
  });

  test("while others choose or play there is one, but none for who watches, in a pause or at the end", () => {
    const others = { ...LAND, seatToAct: 2 };
    expect(hintOf(at(others), undefined)).toBe("wait");
    expect(hintOf(at(others, { paused: true }), undefined)).toBeUndefined();
    expect(hintOf(at({ ...others, round: 0 }), undefined)).toBe("early");
    expect(hintOf({ ...at(others), seat: 0 }, undefined)).toBeUndefined();
    expect(hintOf(at({ ...others, phase: Phase.OVER }), undefined)).toBeUndefined();
  });
});
