/**
 * One stream for all tabs that show a match with the same seat: browsers allow few connections to a server. One tab leads: it has
 * the stream and passes on what comes; the others ask it for what they lack. When the leader goes or is silent, the next one
 * leads. Pages over plain HTTP have no `navigator.locks`, so tabs settle it by messages: of those that ask at the same time the
 * one with the lowest id leads, and a leader that hears of a later one steps down.
 */

import { fromBinary, toBinary } from "@bufbuild/protobuf";

import { type WatchResponse, WatchResponseSchema } from "../gen/vinci/v1/match_pb";
import type { Failure } from "./errors";
import type { Known, Listener, watch } from "./watch";

/** Milliseconds within which a leader answers. */
const ANSWER = 30;
/** Milliseconds after which followers ask whether the leader still lives; the server sends something every 10 s. */
const SILENCE = 12_000;
/** Updates that a leader keeps for tabs that open later; they ask the server for older ones. */
const KEPT = 300;

/** The window of this tab; undefined in tests. */
const tab: Window | undefined = typeof window === "undefined" ? undefined : window;

type Passed =
  | { readonly kind: "received"; readonly bytes: Uint8Array }
  | { readonly kind: "lost" }
  | { readonly kind: "rewound" }
  | { readonly kind: "refused"; readonly failure: Failure };

type Said =
  /** A tab looks for a leader, and tells what it knows. */
  | { readonly kind: "ask"; readonly from: number; readonly revision: bigint | undefined; readonly chat: bigint }
  /** The leader answers a tab with what it lacks. */
  | { readonly kind: "answer"; readonly to: number; readonly passed: readonly Passed[] }
  /** A tab leads from now on. */
  | { readonly kind: "lead"; readonly from: number }
  /** The leader is going. */
  | { readonly kind: "bye" }
  | { readonly kind: "passed"; readonly passed: Passed };

type Role = "asking" | "following" | "leading";

/** Watch a match as `watch` does, with one stream for all tabs, until the returned function is called. */
export function share(
  open: typeof watch,
  matchId: string,
  token: string | undefined,
  known: () => Known,
  listener: Listener,
): () => void {
  if (typeof BroadcastChannel === "undefined") return open(matchId, token, known, listener);
  const id = Math.random();
  const channel = new BroadcastChannel(`vinci ${matchId} ${token ?? ""}`);
  const kept = new Kept();
  let role: Role = "asking";
  let hasOthers = false;
  let heard = performance.now();
  let waits: ReturnType<typeof setTimeout> | undefined;
  let close: () => void = () => undefined;

  const say = (said: Said): void => channel.postMessage(said);

  const take = (passed: Passed): void => {
    if (passed.kind === "received") listener.received(fromBinary(WatchResponseSchema, passed.bytes));
    else if (passed.kind === "refused") listener.refused(passed.failure);
    else if (passed.kind === "lost") listener.lost();
    else listener.rewound();
  };

  const lead = (): void => {
    role = "leading";
    say({ kind: "lead", from: id });
    const pass = (passed: Passed): void => {
      kept.keep(passed);
      say({ kind: "passed", passed });
    };
    close = open(matchId, token, () => kept.lacking(known()), {
      received: (response) => {
        kept.add(response);
        if (hasOthers) say({ kind: "passed", passed: { kind: "received", bytes: toBinary(WatchResponseSchema, response) } });
        listener.received(response);
      },
      lost: () => {
        pass({ kind: "lost" });
        listener.lost();
      },
      rewound: () => {
        pass({ kind: "rewound" });
        listener.rewound();
      },
      refused: (failure) => {
        pass({ kind: "refused", failure });
        listener.refused(failure);
      },
    });
  };

  const ask = (): void => {
    role = "asking";
    const { fromRevision, chatAfter } = known();
    say({ kind: "ask", from: id, revision: fromRevision, chat: chatAfter });
    clearTimeout(waits);
    waits = setTimeout(lead, ANSWER);
  };

  const stepDown = (): void => {
    close();
    kept.clear();
    ask();
  };

  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    heard = performance.now();
    switch (data.kind) {
      case "ask":
        hasOthers = true;
        if (role === "leading") say({ kind: "answer", to: data.from, passed: kept.after(data.revision, data.chat) });
        else if (role === "asking" && data.from < id) {
          // That tab leads after its wait and says so, which is answered by `ask`; this timer is for one that goes before.
          clearTimeout(waits);
          waits = setTimeout(ask, ANSWER * 2);
        }
        break;
      case "answer":
        if (role !== "asking" || data.to !== id) break;
        clearTimeout(waits);
        role = "following";
        data.passed.forEach(take);
        break;
      case "lead":
        if (role === "leading") stepDown();
        else ask();
        break;
      case "bye":
        if (role !== "leading") ask();
        break;
      case "passed":
        if (role === "following") take(data.passed);
        break;
    }
  };

  const check = (): void => {
    if (role === "following" && tab?.document.visibilityState !== "hidden" && performance.now() - heard > SILENCE) ask();
  };
  const timer = setInterval(check, 1_000);
  // A tab in the background may have been frozen, and lack what was passed on meanwhile.
  const seen = (): void => {
    if (role === "following" && tab?.document.visibilityState === "visible") ask();
  };
  const gone = (): void => {
    if (role === "leading") say({ kind: "bye" });
  };
  tab?.document.addEventListener("visibilitychange", seen);
  tab?.addEventListener("pagehide", gone);
  ask();

  return () => {
    gone();
    clearTimeout(waits);
    clearInterval(timer);
    tab?.document.removeEventListener("visibilitychange", seen);
    tab?.removeEventListener("pagehide", gone);
    channel.close();
    close();
  };
}

/** What a leader keeps for tabs that open later. */
class Kept {
  private match: WatchResponse | undefined;
  private clocks: WatchResponse | undefined;
  private updates: WatchResponse[] = [];
  private chat: WatchResponse[] = [];
  private trouble: Passed | undefined;

  clear(): void {
    [this.match, this.clocks, this.trouble] = [undefined, undefined, undefined];
    [this.updates, this.chat] = [[], []];
  }

  /** Return what to ask the server for: all chat and the position that is known too, if tabs that open later could not get them. */
  lacking(known: Known): Known {
    if (this.updates.length > 0) return known;
    const { fromRevision } = known;
    return { ...known, chatAfter: 0n, fromRevision: fromRevision ? fromRevision - 1n : fromRevision };
  }

  add(response: WatchResponse): void {
    this.trouble = undefined;
    if (response.kind.case === "match") this.match = response;
    else if (response.kind.case === "clocks") this.clocks = response;
    else if (response.kind.case === "chat") this.chat.push(response);
    else if (response.kind.case === "update") this.updates = [...this.updates.slice(1 - KEPT), response];
  }

  keep(passed: Passed): void {
    if (passed.kind === "rewound") this.clear();
    this.trouble = passed;
  }

  /** Return what a tab lacks that knows all before a revision, and chat up to a line; without a revision the latest position. */
  after(revision: bigint | undefined, chat: bigint): Passed[] {
    const updates =
      revision === undefined
        ? this.updates.slice(-1)
        : this.updates.filter(({ kind }) => kind.case === "update" && kind.value.revision >= revision);
    const lines = this.chat.filter(({ kind }) => kind.case === "chat" && kind.value.number > chat);
    const responses = [...(this.match ? [this.match] : []), ...updates, ...lines, ...(this.clocks ? [this.clocks] : [])];
    const passed: Passed[] = responses.map((response) => ({
      kind: "received",
      bytes: toBinary(WatchResponseSchema, response),
    }));
    return this.trouble ? [...passed, this.trouble] : passed;
  }
}
