/**
 * What this page knows of a match, and the one reducer that changes it. It knows no rules, draws nothing and calls nobody.
 * Other modules read it by the functions in `selectors.ts`.
 */

import type { Update } from "../gen/vinci/v1/game_pb";
import { type Match, MatchStatus } from "../gen/vinci/v1/lobby_pb";
import type { ChatLine, Clocks, WatchResponse } from "../gen/vinci/v1/match_pb";

/** The state of the stream: not open yet, open, lost and being opened again, or refused by the server for good. */
export type Connection = "connecting" | "open" | "lost" | "refused";

export interface Model {
  readonly matchId: string;
  /** The seat that is played here; 0 for a spectator. */
  readonly seat: number;
  /** The match as the lobby describes it; undefined before the first message. */
  readonly match: Match | undefined;
  readonly connection: Connection;
  /** Why the server refuses the stream. */
  readonly refusal: string;
  /** The latest revision that the server has told of. */
  readonly latest: bigint;
  /** The update whose position is shown; undefined before the start. */
  readonly shown: Update | undefined;
  /** The update shown before that one, which has the position before it; undefined after a jump. */
  readonly previous: Update | undefined;
  /** Updates that are received and shown later, one by one. */
  readonly waiting: readonly Update[];
  /** Updates up to the one that is shown, oldest first. Those from before this page opened have no state. */
  readonly past: readonly Update[];
  readonly chat: readonly ChatLine[];
  readonly clocks: Clocks | undefined;
  /** When the clocks came, in milliseconds of this page. */
  readonly clocksAt: number;
  /** Code of the selected province; empty for none. */
  readonly selected: string;
}

export type Event =
  | { readonly kind: "received"; readonly response: WatchResponse; readonly at: number }
  /** Updates from before this page opened, without states. */
  | { readonly kind: "history"; readonly updates: readonly Update[] }
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly text: string }
  /** The server is at an earlier revision: it lost what this page knows. */
  | { readonly kind: "rewound" }
  /** This page plays a seat from now on, or with 0 no longer does. */
  | { readonly kind: "seated"; readonly seat: number }
  | { readonly kind: "showNext" }
  | { readonly kind: "showAll" }
  | { readonly kind: "select"; readonly province: string };

/** Return what is known of a match before anything has come. */
export function initial(matchId: string, seat: number): Model {
  return {
    matchId,
    seat,
    match: undefined,
    connection: "connecting",
    refusal: "",
    latest: 0n,
    shown: undefined,
    previous: undefined,
    waiting: [],
    past: [],
    chat: [],
    clocks: undefined,
    clocksAt: 0,
    selected: "",
  };
}

/** Return the model after an event. */
export function update(model: Model, event: Event): Model {
  switch (event.kind) {
    case "received":
      return received(opened(model), event.response, event.at);
    case "history":
      return { ...model, past: merged(event.updates, model.past) };
    case "lost":
      return model.connection === "refused" || isFinished(model) ? model : { ...model, connection: "lost", clocks: undefined };
    case "refused":
      return { ...model, connection: "refused", refusal: event.text, clocks: undefined };
    case "rewound":
      return { ...initial(model.matchId, model.seat), match: model.match, connection: "lost" };
    case "seated":
      return { ...model, seat: event.seat };
    case "showNext":
      return shownNext(model);
    case "showAll":
      return shownAll(model);
    case "select":
      return { ...model, selected: event.province };
  }
}

/** Return the newest update that was received, shown or not. */
export function newest(model: Model): Update | undefined {
  return model.waiting.at(-1) ?? model.shown;
}

/** Return whether nothing more can happen in the match, and all of it was received. */
export function isFinished(model: Model): boolean {
  const { match } = model;
  const isOver = match?.status === MatchStatus.OVER || match?.status === MatchStatus.ENDED;
  return isOver && (newest(model)?.revision ?? 0n) >= match.revision;
}

function opened(model: Model): Model {
  return model.connection === "open" && !model.refusal ? model : { ...model, connection: "open", refusal: "" };
}

function received(model: Model, { kind }: WatchResponse, at: number): Model {
  switch (kind.case) {
    case "match":
      return { ...model, match: kind.value, latest: larger(model.latest, kind.value.revision) };
    case "heartbeat":
      return kind.value.revision > model.latest ? { ...model, latest: kind.value.revision } : model;
    case "update":
      return receivedUpdate(model, kind.value);
    case "chat":
      return kind.value.number > (model.chat.at(-1)?.number ?? 0n) ? { ...model, chat: [...model.chat, kind.value] } : model;
    case "clocks":
      return { ...model, clocks: kind.value, clocksAt: at };
    default:
      return model;
  }
}

/** Take an update. The first one is shown at once; later ones wait, but for those of the seat that is played here. */
function receivedUpdate(model: Model, update: Update): Model {
  const known = newest(model);
  if (known !== undefined && update.revision <= known.revision) return model;
  const after = { ...model, latest: larger(model.latest, update.revision), waiting: [...model.waiting, update] };
  const isOwn = update.seat !== 0 && update.seat === model.seat;
  return known === undefined || isOwn ? shownAll(after) : after;
}

function shownNext(model: Model): Model {
  const [next, ...waiting] = model.waiting;
  if (next === undefined) return model;
  const { seat } = model;
  const isTurn = seat !== 0 && next.state?.seatToAct === seat && model.shown?.state?.seatToAct !== seat;
  const selected = isTurn ? "" : model.selected; // an own turn does not begin with what the last one ended with
  return { ...model, waiting, shown: next, previous: model.shown, past: [...model.past, next], selected };
}

function shownAll(model: Model): Model {
  let after = model;
  while (after.waiting.length > 0) after = shownNext(after);
  return after;
}

/** Return updates of before and those known already, each once, oldest first. */
function merged(before: readonly Update[], known: readonly Update[]): readonly Update[] {
  const first = known[0]?.revision;
  return [...before.filter(({ revision }) => first === undefined || revision < first), ...known];
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
