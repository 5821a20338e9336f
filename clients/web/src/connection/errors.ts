/** Failures of calls: whether the server cannot be reached or refuses, why, and the sentence to show. */

import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";

import { capital, refusalTexts, t } from "../i18n/i18n";
import { worded } from "../i18n/refusals";

/** Why a call failed. */
export interface Failure {
  /** The server could not be reached or is going away; the call can be repeated. */
  readonly isGone: boolean;
  /** The reason of docs/errors.md, such as "BAD_TOKEN"; empty if the server was not reached. */
  readonly reason: string;
  /** The facts that belong to the reason. */
  readonly facts: Readonly<Record<string, string>>;
  /** A sentence for people. */
  readonly text: string;
}

const GONE: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Unknown, Code.Internal, Code.Canceled]);

/** Return what an error of a call says. */
export function failureOf(error: unknown): Failure {
  const failed = ConnectError.from(error);
  const { reason, facts } = infoOf(failed);
  const isGone = GONE.has(failed.code) && (reason === "" || reason === "SHUTTING_DOWN");
  if (isGone) return { isGone, reason, facts, text: t("The server cannot be reached.") };
  const refusals = refusalTexts();
  return { isGone, reason, facts, text: sentence((refusals && worded(refusals, reason, facts)) || failed.rawMessage) };
}

/** Return a text as a sentence, with a capital and a full stop. */
export function sentence(text: string): string {
  const whole = text.trim();
  return capital(whole) + (/[.?!]$/.test(whole) ? "" : ".");
}

function infoOf(error: ConnectError): { reason: string; facts: Record<string, string> } {
  for (const detail of error.details) {
    if ("type" in detail && detail.type === "google.rpc.ErrorInfo") return readErrorInfo(detail.value);
  }
  return { reason: "", facts: {} };
}

/** Read a google.rpc.ErrorInfo: field 1 is the reason, field 3 a map of facts. */
function readErrorInfo(bytes: Uint8Array): { reason: string; facts: Record<string, string> } {
  const fields = fieldsOf(bytes);
  const facts: Record<string, string> = {};
  for (const [number, value] of fields) {
    if (number !== 3) continue;
    const entry = new Map(fieldsOf(value));
    facts[textOf(entry.get(1))] = textOf(entry.get(2));
  }
  return { reason: textOf(new Map(fields).get(1)), facts };
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes ? new TextDecoder().decode(bytes) : "";
}

function fieldsOf(bytes: Uint8Array): [number, Uint8Array][] {
  const reader = new BinaryReader(bytes);
  const fields: [number, Uint8Array][] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type === WireType.LengthDelimited) fields.push([number, reader.bytes()]);
    else reader.skip(type);
  }
  return fields;
}
