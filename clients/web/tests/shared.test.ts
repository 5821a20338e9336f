import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test, vi } from "vitest";

import { share } from "../src/connection/shared";
import type { Listener, watch } from "../src/connection/watch";
import { type WatchResponse, WatchResponseSchema } from "../src/gen/vinci/v1/match_pb";
import { initial, type Model, newest, update } from "../src/match/model";

/** A server to which tabs open streams. */
class Server {
  readonly streams = new Map<number, Listener>();
  opened = 0;
  latest = 0n;

  readonly open: typeof watch = (_match, _token, known, listener) => {
    const number = ++this.opened;
    this.streams.set(number, listener);
    listener.received(create(WatchResponseSchema, { kind: { case: "match", value: { matchId: "m", revision: this.latest } } }));
    for (let revision = known().fromRevision ?? this.latest; revision <= this.latest; revision++) listener.received(step(revision));
    return () => this.streams.delete(number);
  };

  play(): void {
    this.latest += 1n;
    for (const stream of this.streams.values()) stream.received(step(this.latest));
  }
}

const step = (revision: bigint): WatchResponse =>
  create(WatchResponseSchema, { kind: { case: "update", value: { revision, state: {} } } });

/** A tab that shows the match. */
class Tab {
  model: Model = initial("m", 0);
  readonly close: () => void;

  constructor(
    server: Server,
    matchId: string,
    token?: string,
  ) {
    const take = (event: Parameters<typeof update>[1]): void => {
      this.model = update(this.model, event);
    };
    const known = () => {
      const last = newest(this.model)?.revision;
      return { fromRevision: last === undefined ? undefined : last + 1n, chatAfter: 0n, isOver: false };
    };
    this.close = share(server.open, matchId, token, known, {
      received: (response) => take({ kind: "received", response, at: 0 }),
      lost: () => take({ kind: "lost" }),
      rewound: () => take({ kind: "rewound" }),
      refused: ({ text }) => take({ kind: "refused", text }),
    });
    tabs.push(this);
  }

  get revision(): bigint | undefined {
    return newest(this.model)?.revision;
  }
}

const tabs: Tab[] = [];
afterEach(() => tabs.splice(0).forEach((tab) => tab.close()));

const all = (wanted: bigint): Promise<void> =>
  vi.waitFor(() => expect(tabs.map(({ revision }) => revision)).toEqual(tabs.map(() => wanted)), { timeout: 10_000 });

describe("tabs of one match", () => {
  test("opened at once use one stream, and all see what happens", async () => {
    const server = new Server();
    for (let tab = 0; tab < 10; tab++) new Tab(server, "at once");
    await all(0n);
    await vi.waitFor(() => expect(server.streams.size).toBe(1), { timeout: 10_000 });
    server.play();
    await all(1n);
    expect(server.streams.size).toBe(1);
  });

  test("one that opens later gets the present position from the others", async () => {
    const server = new Server();
    new Tab(server, "later");
    await all(0n);
    server.play();
    server.play();
    new Tab(server, "later");
    await all(2n);
    expect(server.opened).toBe(1);
  });

  test("another leads when the leader closes, and nothing is missed", async () => {
    const server = new Server();
    const first = new Tab(server, "closes");
    await all(0n);
    new Tab(server, "closes");
    new Tab(server, "closes");
    await all(0n);
    first.close();
    tabs.shift();
    server.play();
    await all(1n);
    await vi.waitFor(() => expect(server.streams.size).toBe(1), { timeout: 10_000 });
    new Tab(server, "closes");
    await all(1n);
    expect(server.streams.size).toBe(1);
  });

  test("with another seat have a stream of their own", async () => {
    const server = new Server();
    new Tab(server, "seats", "one");
    new Tab(server, "seats", "two");
    await all(0n);
    expect(server.streams.size).toBe(2);
  });

  test("all show that the connection is lost", async () => {
    const server = new Server();
    new Tab(server, "lost");
    await all(0n);
    new Tab(server, "lost");
    await all(0n);
    for (const stream of server.streams.values()) stream.lost();
    await vi.waitFor(() => expect(tabs.map(({ model }) => model.connection)).toEqual(["lost", "lost"]));
    new Tab(server, "lost");
    await all(0n);
    expect(tabs.at(-1)?.model.connection).toBe("lost");
  });
});
