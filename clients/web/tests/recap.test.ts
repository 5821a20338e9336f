import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { BoardSchema, type EventSchema, Holding, type State, StateSchema, type Update, UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { attacksIn, happened, sinceLastTurn } from "../src/match/recap";

const { ACTIVE, NOBODY } = Holding;
const board = create(BoardSchema, {
  provinces: [
    { code: "A", neighbours: ["B", "C"] },
    { code: "B", neighbours: ["A", "C"] },
    { code: "C", neighbours: ["A", "B"] },
  ],
});
const step = (revision: number, events: MessageInitShape<typeof EventSchema>[], undoTo?: number): Update =>
  create(UpdateSchema, { revision: BigInt(revision), events, ...(undoTo === undefined ? {} : { undoTo: BigInt(undoTo) }) });
const started = (seat: number): MessageInitShape<typeof EventSchema> => ({ kind: { case: "turnStarted", value: { seat } } });
const scored = (seat: number): MessageInitShape<typeof EventSchema> => ({ kind: { case: "scored", value: { seat } } });
const conquered = (seat: number, province: string): MessageInitShape<typeof EventSchema> => ({ kind: { case: "conquered", value: { seat, province } } });
const held = (pawns: readonly number[]): State =>
  create(StateSchema, { provinces: ["A", "B", "C"], pawns: [...pawns], owners: [2, 2, 0], holdings: [ACTIVE, ACTIVE, NOBODY] });

const PAST = [
  step(0, [started(1)]),
  step(1, [conquered(1, "C")]),
  step(2, [scored(1), started(2)]),
  step(3, [conquered(2, "A")]),
  step(4, [], 2),
  step(5, [conquered(2, "C")]),
  step(6, [scored(2), started(1)]),
  step(7, [conquered(1, "B")]),
];

test("what was taken back did not happen, and each event knows the revision before it", () => {
  const kinds = happened(PAST).map(({ revision, before, event }) => `${event.kind.case ?? ""} ${before}-${revision}`);
  expect(kinds).toEqual(["turnStarted -1-0", "conquered 0-1", "scored 1-2", "turnStarted 1-2", "conquered 2-5", "scored 5-6", "turnStarted 5-6", "conquered 6-7"]);
});

test("arrows show attacks of others since the own last turn, from the largest garrison beside them", () => {
  const recent = sinceLastTurn(happened(PAST), 1);
  expect(attacksIn(recent, 1, new Map([[2n, held([1, 3, 0])]]), board)).toEqual([{ seat: 2, origin: "B", target: "C" }]);
  expect(attacksIn(recent, 1, new Map(), board)).toEqual([]);
  expect(attacksIn(recent, 2, new Map([[2n, held([1, 3, 0])]]), board)).toEqual([]);
});
