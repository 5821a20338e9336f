import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import { Phase, type Update, UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { MatchSchema, MatchStatus } from "../src/gen/vinci/v1/lobby_pb";
import { isOver } from "../src/match/selectors";
import { type Film, linesOf, modelAt, nextTurn, previousTurn, stepOf, turnAt, turnsOf } from "../src/replay/film";

const update = (revision: number, round: number, turnSeat: number, phase = Phase.CONQUER): Update =>
  create(UpdateSchema, { revision: BigInt(revision), seat: revision ? turnSeat : 0, state: { round, turnSeat, phase } });
const film: Film = {
  match: create(MatchSchema, { matchId: "m", status: MatchStatus.OVER }),
  updates: [
    update(0, 1, 1),
    update(1, 1, 1),
    update(2, 1, 2),
    update(3, 1, 2),
    update(4, 1, 2),
    update(5, 2, 1),
    update(6, 2, 2, Phase.OVER),
  ],
};
const turns = turnsOf(film);

describe("turns", () => {
  test("begin where round or seat change, but not with the end", () => {
    expect(turns).toEqual([
      { step: 0, round: 1, seat: 1 },
      { step: 2, round: 1, seat: 2 },
      { step: 5, round: 2, seat: 1 },
    ]);
    expect([0, 1, 2, 4, 6].map((step) => turnAt(turns, step))).toEqual([0, 0, 1, 1, 2]);
  });

  test("are left forwards to the next or the end, and backwards to their own start first", () => {
    expect([0, 3, 5].map((step) => nextTurn(film, turns, step))).toEqual([2, 5, 6]);
    expect([0, 1, 2, 4, 6].map((step) => previousTurn(turns, step))).toEqual([0, 0, 0, 2, 5]);
  });
});

test.each([
  ["ArrowRight", 3, 4],
  ["ArrowRight", 6, 6],
  ["ArrowLeft", 0, 0],
  ["PageDown", 1, 2],
  ["PageUp", 4, 2],
  ["Home", 4, 0],
  ["End", 1, 6],
  ["x", 1, undefined],
])("the key %s at step %i", (key, step, to) => expect(stepOf(key, film, turns, step)).toBe(to));

test("the game is over at its last step only, and what is known of it grows", () => {
  const models = film.updates.map((_, step) => modelAt(film, step, "ALP"));
  expect(models.map((model) => isOver(model))).toEqual([false, false, false, false, false, false, true]);
  expect(models.map(({ past }) => past.length)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect([models[3]?.shown?.revision, models[3]?.previous?.revision, models[0]?.previous]).toEqual([3n, 2n, undefined]);
  expect(models[3]?.selected).toBe("ALP");
});

test("lines of a record may end as on any system", () => {
  expect(linesOf('{"a":1}\r\n{"b":2}\n\n')).toEqual(['{"a":1}', '{"b":2}']);
});
