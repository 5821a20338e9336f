import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { MatchSchema } from "../src/gen/vinci/v1/lobby_pb";
import type { Film } from "../src/replay/film";
import { notesOf } from "../src/replay/notes/notes";

const film: Film = {
  match: create(MatchSchema, { matchId: "m" }),
  updates: [0, 1, 2, 1].map((seat, revision) => create(UpdateSchema, { revision: BigInt(revision), seat })),
};
const line = (n: unknown, seat: unknown, note: unknown): string => JSON.stringify({ n, seat, note });

test("notes stand at their revision, with all that they have", () => {
  const whole = { text: "second best", value: 1.5, lines: ["x ALP", 3] };
  const { notes, wrong } = notesOf([line(1, 1, { text: "worth most" }), line(3, 1, whole), ""].join("\n"), film);
  expect([notes.get(1n), wrong]).toEqual([{ seat: 1, lines: ["worth most"] }, 0]);
  expect(notes.get(3n)?.lines).toEqual(["1.5  second best", "x ALP", "3"]);
});

test.each([
  ["another seat", line(2, 1, { text: "x" })],
  ["the position before the game", line(0, 0, { text: "x" })],
  ["no such revision", line(9, 1, { text: "x" })],
  ["a number that is none", line("1.5", 1, { text: "x" })],
  ["no note", line(1, 1, null)],
  ["no JSON", '{"n":1'],
  ["no object", "null"],
])("a line with %s is counted and left out", (_, wrong) => {
  const found = notesOf(`${wrong}\n${line(2, 2, { value: 0 })}`, film);
  expect([found.wrong, [...found.notes]]).toEqual([1, [[2n, { seat: 2, lines: ["0"] }]]]);
});
