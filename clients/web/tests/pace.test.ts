import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { WatchResponseSchema } from "../src/gen/vinci/v1/match_pb";
import { initial } from "../src/match/model";
import { startPace } from "../src/match/pace";
import { createStore, type Store } from "../src/match/store";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Let a store receive updates up to a revision. */
function receive(store: Store, to: number): void {
  for (let revision = Number(store.model().latest) + 1; revision <= to; revision += 1) {
    const update = create(UpdateSchema, { revision: BigInt(revision), seat: 2 });
    store.dispatch({ kind: "received", response: create(WatchResponseSchema, { kind: { case: "update", value: update } }), at: 0 });
  }
}

test("an update that comes alone is shown before anything is drawn, the next ones after the pace", () => {
  const store = createStore(initial("k3f9xa2m", 1));
  receive(store, 1);
  startPace(store, 1_000);
  vi.advanceTimersByTime(5_000);
  receive(store, 3);
  const shown = (): number => Number(store.model().shown?.revision);
  expect(shown()).toBe(2);
  vi.advanceTimersByTime(999);
  expect(shown()).toBe(2);
  vi.advanceTimersByTime(1);
  expect(shown()).toBe(3);
});

test("without a pace all is shown at once", () => {
  const store = createStore(initial("k3f9xa2m", 1));
  const stop = startPace(store, 0);
  receive(store, 5);
  expect([store.model().shown?.revision, store.model().waiting.length]).toEqual([5n, 0]);
  stop();
  receive(store, 6);
  expect(store.model().waiting).toHaveLength(1);
});

test("many updates are shown faster, and too many at once", () => {
  const store = createStore(initial("k3f9xa2m", 1));
  receive(store, 18);
  startPace(store, 1_000);
  const shown = (): number => Number(store.model().shown?.revision);
  expect(shown()).toBe(2);
  vi.advanceTimersByTime(499);
  expect(shown()).toBe(2);
  vi.advanceTimersByTime(1);
  expect(shown()).toBe(3);
  receive(store, 63);
  expect(shown()).toBe(3);
  receive(store, 64);
  expect(shown()).toBe(64);
});
