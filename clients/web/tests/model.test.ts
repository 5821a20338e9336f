import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import { type Update, UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { MatchSchema, MatchStatus } from "../src/gen/vinci/v1/lobby_pb";
import { ChatLineSchema, type WatchResponse, WatchResponseSchema } from "../src/gen/vinci/v1/match_pb";
import { type Event, initial, type Model, newest, update } from "../src/match/model";
import { isComplete, isLive, isMyMove, standing, wouldScore } from "../src/match/selectors";
import { curves } from "../src/panels/scale";

const step = (revision: number, more: { seat?: number; undoTo?: bigint } = {}): Update =>
  create(UpdateSchema, { revision: BigInt(revision), state: { seatToAct: 1 }, ...more });
const received = (kind: WatchResponse["kind"]): Event => ({
  kind: "received",
  response: create(WatchResponseSchema, { kind }),
  at: 0,
});
const updates = (...all: Update[]): Event[] => all.map((value) => received({ case: "update", value }));
const match = (revision: number, status = MatchStatus.RUNNING): Event => {
  const seats = [{ seat: 1 }, { seat: 2 }, { seat: 3 }];
  return received({ case: "match", value: create(MatchSchema, { matchId: "m", revision: BigInt(revision), status, seats }) });
};
const after = (events: readonly Event[], seat = 0): Model => events.reduce(update, initial("m", seat));
const revisions = (all: readonly Update[]): number[] => all.map(({ revision }) => Number(revision));

describe("updates", () => {
  test("the first is shown at once, later ones of others wait for their turn", () => {
    const model = after([match(5), ...updates(step(5, { seat: 2 }), step(6, { seat: 2 }), step(7, { seat: 3 }))]);
    expect(model.shown?.revision).toBe(5n);
    expect(revisions(model.waiting)).toEqual([6, 7]);
    const next = update(model, { kind: "showNext" });
    expect([next.shown?.revision, next.previous?.revision, next.waiting.length]).toEqual([6n, 5n, 1]);
    expect(update(model, { kind: "showAll" }).shown?.revision).toBe(7n);
  });

  test("those of the own seat are shown at once", () => {
    const model = after([match(5), ...updates(step(5), step(6, { seat: 2 }), step(7, { seat: 1 }))], 1);
    expect([model.shown?.revision, model.waiting.length]).toEqual([7n, 0]);
  });

  test("those that begin an own turn drop the selection, others keep it", () => {
    const of = (revision: number, seatToAct: number): Update => create(UpdateSchema, { revision: BigInt(revision), state: { seatToAct }, seat: seatToAct });
    const chosen: Event = { kind: "select", province: "ALP" };
    const own = after([match(5), ...updates(of(1, 1)), chosen, ...updates(of(2, 1))], 1);
    expect(own.selected).toBe("ALP");
    const away = [...updates(of(3, 2)), { kind: "showAll" } as const].reduce(update, own);
    expect(away.selected).toBe("ALP");
    expect([...updates(of(4, 1)), { kind: "showAll" } as const].reduce(update, away).selected).toBe("");
  });

  test("repeated ones change nothing", () => {
    const model = after([match(5), ...updates(step(5), step(6))]);
    expect(updates(step(5), step(6)).reduce(update, model).waiting).toHaveLength(1);
  });

  test("history comes before what is known, each revision once", () => {
    const model = after([match(5), ...updates(step(3), step(4)), { kind: "showAll" }]);
    const whole = update(model, { kind: "history", updates: [step(0), step(1), step(2), step(3)] });
    expect(revisions(whole.past)).toEqual([0, 1, 2, 3, 4]);
  });

  test("what an undo takes back does not stand", () => {
    expect(revisions(standing([step(0), step(1), step(2), step(3, { undoTo: 1n }), step(4)]))).toEqual([0, 1, 3, 4]);
  });
});

describe("a board that may be old", () => {
  const playing = after([match(1), ...updates(step(0), step(1)), { kind: "showAll" }], 1);

  test("is live only while the stream is open", () => {
    expect([isLive(playing), isMyMove(playing)]).toEqual([true, true]);
    const lost = update(playing, { kind: "lost" });
    expect([isLive(lost), isMyMove(lost)]).toEqual([false, false]);
  });

  test("is not live before the missed revisions are there", () => {
    const back = update(update(playing, { kind: "lost" }), match(3));
    expect([back.connection, isComplete(back), isLive(back)]).toEqual(["open", false, false]);
    const caughtUp = [...updates(step(2), step(3)), { kind: "showAll" } as const].reduce(update, back);
    expect(isLive(caughtUp)).toBe(true);
  });

  test("is forgotten when the server is at an earlier revision", () => {
    const rewound = update(playing, { kind: "rewound" });
    expect([newest(rewound), rewound.past.length, isLive(rewound)]).toEqual([undefined, 0, false]);
  });

  test("is complete when the game is over, although the stream has ended", () => {
    const over = [match(2, MatchStatus.OVER), ...updates(step(2)), { kind: "showAll" } as const, { kind: "lost" } as const];
    expect(isLive(over.reduce(update, playing))).toBe(true);
  });
});

test("chat lines come once and in order", () => {
  const line = (number: bigint): Event => received({ case: "chat", value: create(ChatLineSchema, { number }) });
  expect(after([line(1n), line(4n), line(4n), line(2n), line(5n)]).chat.map(({ number }) => number)).toEqual([1n, 4n, 5n]);
});

test("the score that is promised counts both empires, and for the seat to act only what it can keep", () => {
  const promised = (seatToAct: number, hold: object): readonly number[] => {
    const shown = create(UpdateSchema, { state: { seatToAct, seats: [1, 2, 3].map((seat) => ({ seat, active: { vp: 5 }, declined: { vp: seat } })) }, legal: { hold } });
    return [1, 2, 3].map((seat) => wouldScore(shown, seat));
  };
  expect(promised(1, {})).toEqual([6, 7, 8]);
  expect(promised(1, { vp: 4 })).toEqual([4, 7, 8]);
  expect(promised(1, { vp: 0 })).toEqual([0, 7, 8]);
  expect(promised(2, { vp: 4 })).toEqual([6, 4, 8]);
});

test("a VP curve has the VP after each turn with what a civilization costs, without turns taken back", () => {
  const scored = (revision: number, seat: number, total: number, round: number, vp = total): Update =>
    create(UpdateSchema, {
      revision: BigInt(revision),
      events: [
        { kind: { case: "turnStarted", value: { seat, round } } },
        { kind: { case: "scored", value: { seat, vp, total } } },
      ],
    });
  const taken = (revision: number, paid: number, received: number): Update =>
    create(UpdateSchema, { revision: BigInt(revision), events: [{ kind: { case: "civilizationTaken", value: { seat: 1, paid, received } } }] });
  const past = [taken(0, 4, 0), scored(1, 1, 14, 1), scored(2, 2, 12, 1), scored(3, 1, 99, 2), step(4, { undoTo: 2n }), scored(5, 1, 20, 2), taken(6, 4, 2)];
  const [first, second] = curves(past, 2, 2);
  expect(first?.map(({ vp }) => vp)).toEqual([14, 18]);
  expect(second).toEqual([{ round: 1, vp: 12 }]);
  const [fromPosition] = curves([scored(1, 1, 24, 5, 4)], 1, 5);
  expect(fromPosition?.map(({ round, vp }) => [round, vp])).toEqual([[4, 20], [5, 24]]);
  const inTurn = create(UpdateSchema, { revision: 1n, events: [{ kind: { case: "scored", value: { seat: 1, vp: 4, total: 24 } } }] });
  for (const more of [[], [scored(2, 2, 12, 8)]]) expect(curves([inTurn, ...more], 2, 8)[0]?.map(({ round }) => round)).toEqual([7, 8]);
});
