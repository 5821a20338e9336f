/** The key of the person at this browser, and the calls that carry it. */

import { keptIn } from "./storage";

export const HEADER = "vinci-person";

const KEY = "vinci-person";
const { read, write } = keptIn(() => localStorage);

/** Methods besides those of PersonService that ask who calls. */
const ASKING: ReadonlySet<string> = new Set(["CreateMatch", "JoinMatch", "JoinRematch", "ListMatches", "OfferSeat", "SubstituteSeat"]);

/** Return the key; empty for a guest. */
export function personKey(): string {
  return read(KEY) ?? "";
}

/** Keep a key that the server knows; undefined to be a guest again. */
export function keepPersonKey(key: string | undefined): void {
  write(KEY, key);
}

/** Return a new key: 128 random bits. */
export function newPersonKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a call asks who calls. */
export function asksWho(service: string, method: string): boolean {
  return service.endsWith(".PersonService") || ASKING.has(method);
}
