/** The stream of a match: it resumes at the right revision after lost connections, sleep and restarts of the server. */

import { revealDue } from "../draws/reveal";
import type { WatchResponse } from "../gen/vinci/v1/match_pb";
import { bearing, matches } from "./clients";
import { type Failure, failureOf } from "./errors";

const FIRST_WAIT = 100;
const LONGEST_WAIT = 5_000;
/** The server sends a heartbeat every 10 s: longer silence means that the connection is lost. */
const SILENCE = 15_000;
/** After a gap as long as this between two ticks of a second the machine slept. */
const SLEPT = 4_000;

/** Reasons of refusals that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(["SLOW_WATCHER", "RATE_LIMITED", "STORE_FAILED", "TOO_MANY_STREAMS"]);

/** What is known already, from which the stream goes on. */
export interface Known {
  /** The first revision that is wanted; undefined for the latest. */
  readonly fromRevision: bigint | undefined;
  /** The last line of chat. */
  readonly chatAfter: bigint;
  /** The game is over: the server ends the stream. */
  readonly isOver: boolean;
}

export interface Listener {
  /** Take a message of the server. */
  readonly received: (response: WatchResponse) => void;
  /** Note that the connection was lost. */
  readonly lost: () => void;
  /** Note that the server is at an earlier revision than what is known: all of that is worth nothing. */
  readonly rewound: () => void;
  /** Note that the server refuses the stream: it is not opened again. */
  readonly refused: (failure: Failure) => void;
}

/** Watch a match until the returned function is called. */
export function watch(matchId: string, token: string | undefined, known: () => Known, listener: Listener): () => void {
  let isOver = false;
  let attempt = 0;
  let heard = performance.now();
  let stream = new AbortController();
  let wake: () => void = () => undefined;

  const listen = async (): Promise<void> => {
    stream = new AbortController();
    heard = performance.now();
    const { fromRevision, chatAfter } = known();
    const request = { matchId, state: true, legal: true, chatAfter, ...(fromRevision === undefined ? {} : { fromRevision }) };
    const options = { headers: bearing(token).headers, signal: stream.signal };
    for await (const response of matches.watch(request, options)) {
      heard = performance.now();
      attempt = 0;
      if (response.kind.case === "ping") answerPing(matchId, token, response.kind.value.stamp);
      else listener.received(response);
      if (response.kind.case === "match") revealDue(response.kind.value);
    }
  };

  const run = async (): Promise<void> => {
    while (!isOver) {
      try {
        await listen();
      } catch (error) {
        if (isStopped()) return;
        const failure = failureOf(error);
        if (failure.reason === "FUTURE_REVISION") listener.rewound();
        else if (!failure.isGone && !PASSING.has(failure.reason)) {
          listener.refused(failure);
          return;
        }
      }
      if (isStopped() || known().isOver) return;
      listener.lost();
      await pause(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(attempt++, 8)) * (0.5 + Math.random() / 2));
    }
  };

  const isStopped = (): boolean => isOver;
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Open the stream again at once: it may be dead without knowing. */
  const reopen = (): void => {
    attempt = 0;
    listener.lost();
    stream.abort();
    wake();
  };

  let ticked = performance.now();
  let clock = Date.now();
  const tick = (): void => {
    // Some browsers stop `performance.now` while the machine sleeps, so both clocks are read. In hidden tabs, whose timers
    // are slowed to one a minute, a gap tells nothing.
    const [now, time] = [performance.now(), Date.now()];
    const slept = document.visibilityState === "visible" && Math.max(now - ticked, time - clock) > SLEPT;
    [ticked, clock] = [now, time];
    if (now - heard > SILENCE || slept) reopen();
  };
  const timer = setInterval(tick, 1_000);
  const shown = (): void => {
    if (document.visibilityState === "visible") tick();
  };
  const online = (): void => reopen();
  const offline = (): void => {
    listener.lost();
    stream.abort();
  };
  document.addEventListener("visibilitychange", shown);
  window.addEventListener("online", online);
  window.addEventListener("offline", offline);
  void run();

  return () => {
    isOver = true;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", shown);
    window.removeEventListener("online", online);
    window.removeEventListener("offline", offline);
    stream.abort();
    wake();
  };
}

function answerPing(matchId: string, token: string | undefined, stamp: bigint): void {
  matches.pong({ matchId, stamp }, bearing(token)).catch(() => undefined); // a lost pong costs milliseconds on the clock
}
