import { deepEqual, equal, notEqual } from "node:assert/strict";
import { test } from "node:test";
import { choose, fallback, picker } from "./choose";
import type { Decision } from "./generated/vinci/v1/Decision";

const HOLD = { provinces: ["ARA"], pawns: [9], forts: [] };
const SURVIVORS = { provinces: ["ARA"], pawns: [2] };
const first = picker("1", "0");

/** A decision of seat 1, whose active empire scores 3 VP, with this in `legal` and this much in reserve. */
function decision(legal: object, reserve = 9): Decision {
  const nothing = { take: [], peace: [], abandon: [], conquer: [], cost: [], worth: [], conquerBySpies: [] };
  const active = { traits: [], reserve, pawns: 4, provinces: 3, vp: 3 };
  const market = [
    { traits: [], markers: 0, price: 0, pawns: 5 },
    { traits: [], markers: 2, price: 1, pawns: 6 },
  ];
  return {
    seat: 1,
    revision: "7",
    state: { seats: [{ active }], market },
    legal: { ...nothing, decline: false, stay: false, hold: null, redeploy: null, ...legal },
  } as unknown as Decision;
}

test("it takes the civilization with the most pawns and VP for its price", async () => {
  deepEqual(await choose(decision({ take: [1, 2] }), first), { take: { slot: 2 } });
});

test("it conquers what is worth most for a pawn", async () => {
  const legal = { conquer: ["FEN", "BOS"], cost: [4, 3], worth: [2, 2], hold: { suggestion: HOLD } };
  deepEqual(await choose(decision(legal), first), { conquer: { province: "BOS", spies: false } });
});

test("it sends spies only where they save pawns", async () => {
  const legal = { conquer: ["FEN"], cost: [4], worth: [2], conquerBySpies: ["FEN"], hold: { suggestion: HOLD } };
  deepEqual(await choose(decision(legal), first), { conquer: { province: "FEN", spies: true } });
  deepEqual(await choose(decision({ ...legal, cost: [1] }), first), { conquer: { province: "FEN", spies: false } });
});

test("it holds as suggested when nothing is worth a conquest", async () => {
  const legal = { conquer: ["FEN"], cost: [2], worth: [0], hold: { suggestion: HOLD } };
  deepEqual(await choose(decision(legal), first), { hold: HOLD });
});

test("it conquers what is worth nothing when holding is not legal", async () => {
  const legal = { conquer: ["FEN"], cost: [2], worth: [-1] };
  deepEqual(await choose(decision(legal), first), { conquer: { province: "FEN", spies: false } });
});

test("it declines when it can win little, and only then", async () => {
  const legal = { decline: true, conquer: ["FEN"], cost: [5], worth: [4], hold: { suggestion: HOLD } };
  deepEqual(await choose(decision(legal, 4), first), { decline: {} });
  deepEqual(await choose(decision(legal, 5), first), { conquer: { province: "FEN", spies: false } });
  deepEqual(await choose(decision({ decline: true }), first), { decline: {} });
});

test("with Renaissance, it declines when few pawns are free", async () => {
  deepEqual(await choose(decision({ decline: true, stay: true }), first), { decline: {} });
});

test("it places survivors as suggested", async () => {
  deepEqual(await choose(decision({ redeploy: { suggestion: SURVIVORS } }), first), { redeploy: SURVIVORS });
});

test("the same seed and revision break a tie alike, others differently", () => {
  const candidates = Array.from({ length: 1000 }, (_, number) => number);
  equal(picker("1", "7")(candidates), picker("1", "7")(candidates));
  notEqual(picker("1", "7")(candidates), picker("2", "7")(candidates));
  notEqual(picker("1", "7")(candidates), picker("1", "8")(candidates));
});

test("what it falls back to is legal", () => {
  deepEqual(fallback(decision({ hold: { suggestion: HOLD }, decline: true })), { hold: HOLD });
  deepEqual(fallback(decision({ redeploy: { suggestion: SURVIVORS } })), { redeploy: SURVIVORS });
  deepEqual(fallback(decision({ take: [3] })), { take: { slot: 3 } });
  deepEqual(fallback(decision({ stay: true, decline: true })), { stay: {} });
  deepEqual(fallback(decision({ conquer: ["FEN"], cost: [2], worth: [0] })), { conquer: { province: "FEN" } });
  deepEqual(fallback(decision({ decline: true })), { decline: {} });
});
