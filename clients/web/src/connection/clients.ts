/** The services of the server that sent the page, with the join code and, where a call needs one, a token. */

import { createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import { LobbyService } from "../gen/vinci/v1/lobby_pb";
import { MatchService } from "../gen/vinci/v1/match_pb";
import { code } from "./access";
import { asksWho, HEADER, personKey } from "./personKey";

const CALL_MILLISECONDS = 20_000;

const withCode: Interceptor = (next) => (request) => {
  if (code()) request.header.set("vinci-access", code());
  return next(request);
};

const withPerson: Interceptor = (next) => (request) => {
  const isAsked = asksWho(request.service.typeName, request.method.name) && !request.header.has(HEADER);
  if (isAsked && personKey()) request.header.set(HEADER, personKey());
  return next(request);
};

export const transport = createConnectTransport({
  baseUrl: location.origin,
  useBinaryFormat: true,
  interceptors: [withCode, withPerson],
});

export const lobby = createClient(LobbyService, transport);
export const matches = createClient(MatchService, transport);

/** Return the options of a call that a token allows, with a deadline. */
export function bearing(token: string | undefined): { headers: Record<string, string>; timeoutMs: number } {
  return { headers: token ? { authorization: `Bearer ${token}` } : {}, timeoutMs: CALL_MILLISECONDS };
}

/** The options of a call that needs no token. */
export const plain = bearing(undefined);

/** Return a random id for a request, a UUID: pages over plain HTTP have no `crypto.randomUUID`. */
export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
