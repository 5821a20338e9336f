/**
 * What this tab may do: the join code of the server and the tokens of seats and matches. They are kept in memory and in
 * `sessionStorage`; on a server that knows persons, whose browsers are nobody else's, tokens also outlive the tab. They are never in
 * cookies or addresses.
 */

import { keptIn } from "./storage";

const { read, write } = keptIn(() => sessionStorage);
const lasting = keptIn(() => localStorage);

const CODE = "vinci-code";
const PASSWORD = "vinci-password";
const SEATS = "vinci-seat-";
const HOSTS = "vinci-host-";

/** A seat of a match and its token. */
export interface Seat {
  readonly seat: number;
  readonly token: string;
}

/** Take the join code from the fragment of the address, `#code=...`, and remove it from there. */
export function takeCodeFromAddress(): void {
  const code = takeFromAddress("code");
  if (code) setCode(code);
}

/** Return the join code or password of the server; empty if none was given. */
export function code(): string {
  return read(CODE) ?? "";
}

/**
 * Return the link to a path of this server for other browsers: the join code and what else they need are in its fragment, which
 * browsers keep to themselves, such as `/m/ID#code=k3f9-xa2m`. A password is never in it.
 */
export function linkTo(path: string, more: Readonly<Record<string, string>> = {}): string {
  const fragment = new URLSearchParams(joinCode() ? { code: joinCode(), ...more } : more).toString();
  return fragment ? `${path}#${fragment}` : path;
}

/** Return a part of the fragment of the address, such as that of `#take=...`, and remove it from there; empty without one. */
export function takeFromAddress(name: string): string {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const value = fragment.get(name);
  if (value === null) return "";
  fragment.delete(name);
  const rest = fragment.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  return value;
}

/** Return the join code of the server; empty without one, and where it asks for a password. */
export function joinCode(): string {
  return read(PASSWORD) === undefined ? code() : "";
}

/** Keep the join code or password of the server. */
export function setCode(text: string, isPassword = false): void {
  write(CODE, isPassword ? text : text.trim());
  write(PASSWORD, isPassword ? "1" : undefined);
}

/** Return the seat that this tab plays in a match, or played before it was closed. */
export function seatOf(matchId: string): Seat | undefined {
  const [seat, token] = recall(SEATS + matchId).split(" ");
  return seat && token ? { seat: Number(seat), token } : undefined;
}

/** Keep the seat that this tab plays in a match. */
export function keepSeat(matchId: string, { seat, token }: Seat): void {
  keep(SEATS + matchId, `${seat} ${token}`);
}

/** Forget the seat of a match, which belongs to another terminal now. */
export function dropSeat(matchId: string): void {
  keep(SEATS + matchId, undefined);
}

/** Return the token of the host of a match; undefined if this browser did not make it. */
export function hostTokenOf(matchId: string): string | undefined {
  return recall(HOSTS + matchId) || undefined;
}

/** Keep the token of the host of a match. */
export function keepHostToken(matchId: string, token: string): void {
  keep(HOSTS + matchId, token);
}

const LASTS = "vinci-lasts";
/** Milliseconds after which a token that outlived its tab is forgotten. */
const LIFETIME = 90 * 86_400_000;

/** Keep tokens beyond the tab from now on, or no longer: `false` on a server whose browsers many share. */
export function keepBeyondTab(does: boolean): void {
  lasting.write(LASTS, does ? "1" : undefined);
  forgetOld(does ? Date.now() - LIFETIME : Infinity);
}

function recall(key: string): string {
  return read(key) ?? (lasting.read(key) ?? "").replace(/^\S+ /, "");
}

function keep(key: string, text: string | undefined): void {
  write(key, text);
  if (text === undefined || lasting.read(LASTS)) lasting.write(key, text && `${Date.now()} ${text}`);
}

/** Forget tokens that were kept beyond their tab before a time. */
function forgetOld(time: number): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if ((key.startsWith(SEATS) || key.startsWith(HOSTS)) && Number.parseInt(localStorage.getItem(key) ?? "", 10) < time) {
        localStorage.removeItem(key);
      }
    }
  } catch {
    // the browser allows no storage
  }
}
