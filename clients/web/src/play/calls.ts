/** Calls that act for a seat. A call that changes something is repeated with the same id while the server cannot be reached. */

import { create } from "@bufbuild/protobuf";

import { type Action, ActionSchema, type CostItem, type Event, type Prospect } from "../gen/vinci/v1/game_pb";
import { bearing, matches, requestId } from "../connection/clients";
import { failureOf } from "../connection/errors";
import type { SuggestResponse } from "../gen/vinci/v1/match_pb";
import { wouldScore } from "../match/selectors";
import type { Table } from "../match/table";
import { Illegal } from "./violations";

const TRIES = 5;
const WAIT = 400;

/** Call, and again while the server cannot be reached. */
export async function again<T>(call: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (left <= 1 || !failureOf(error).isGone) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAIT * (TRIES + 1 - left)));
    }
  }
}

/** Play an action; return the revision after it. */
export async function play({ model, token }: Table, action: Action): Promise<bigint> {
  const request = { matchId: model.matchId, requestId: requestId(), actions: [action], ...expected(model.shown?.revision) };
  return (await again(() => matches.act(request, bearing(token)))).revision;
}

/** Leave the game for good; return the revision after it. */
export async function leaveGame(table: Table): Promise<bigint> {
  return await play(table, create(ActionSchema, { kind: { case: "forfeit", value: { seat: table.model.seat } } }));
}

/** Take back the last own action; return the revision after it. */
export async function takeBack({ model, token }: Table): Promise<bigint> {
  const request = { matchId: model.matchId, requestId: requestId(), ...expected(model.shown?.revision) };
  return (await again(() => matches.undo(request, bearing(token)))).revision;
}

/** What an action would do, as the server computes it. */
export interface Effect {
  /** The cost of a conquest, item by item. */
  readonly cost: readonly CostItem[];
  readonly events: readonly Event[];
  /** VP that the own empires would score with what they can keep, before and afterwards. */
  readonly before: number;
  readonly after: number;
  /** The seat that loses a province, and VP a turn that it loses with it. */
  readonly victim: { readonly seat: number; readonly vp: number } | undefined;
  /** Pawns in hand afterwards. */
  readonly reserve: number;
  /** The connected parts of the own empire afterwards if there are several and only one can be kept. */
  readonly parts: readonly (readonly string[])[];
  /** How many of how many provinces could be held at the end of the turn; undefined if all. */
  readonly held: { readonly n: number; readonly m: number } | undefined;
}

/** Ask what an action would do. Raises Illegal if it breaks a rule. */
export async function preview({ model, token }: Table, action: Action, signal: AbortSignal): Promise<Effect> {
  const { revision } = model.shown ?? {};
  const request = { matchId: model.matchId, requestId: requestId(), actions: [action], validateOnly: true, ...expected(revision) };
  const answer = await matches.act(request, { ...bearing(token), signal });
  if (answer.refusal) throw new Illegal(answer.refusal);
  const last = answer.updates.at(-1);
  const hold = last?.state?.seatToAct === model.seat ? last.legal?.hold : undefined;
  const [best] = (hold?.parts ?? []).map(({ most, provinces: { length: m } }) => ({ n: Math.min(most, m), m })).sort((one, other) => other.n - one.n);
  const events = answer.updates.flatMap(({ events }) => events);
  const [seat] = events.flatMap(({ kind }) => (kind.case === "conquered" && kind.value.defender) || []);
  return {
    cost: answer.cost,
    events,
    victim: seat && { seat, vp: wouldScore(model.shown, seat) - wouldScore(last, seat) } || undefined,
    before: wouldScore(model.shown, model.seat),
    after: wouldScore(last, model.seat),
    reserve: last?.state?.seats[model.seat - 1]?.active?.reserve ?? 0,
    parts: hold?.connected && hold.parts.length > 1 ? hold.parts.map(({ provinces }) => provinces) : [],
    held: best && best.n < best.m ? best : undefined,
  };
}

/** Ask for a suggestion with reasons, compared with an action if that is given. */
export async function suggestion({ model }: Table, compare: Action | undefined): Promise<SuggestResponse> {
  return await matches.suggest({ matchId: model.matchId, reasons: true, ...(compare ? { compare } : {}) }, bearing(undefined));
}

/** Ask what each civilization could take and score. */
export async function prospects({ model }: Table): Promise<readonly Prospect[]> {
  const answer = await matches.getProspects({ matchId: model.matchId }, bearing(undefined));
  return answer.revision === model.shown?.revision ? answer.prospects : [];
}

function expected(revision: bigint | undefined): { expectedRevision?: bigint } {
  return revision === undefined ? {} : { expectedRevision: revision };
}
