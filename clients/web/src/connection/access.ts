/**
 * What this tab may do: the join code of the server and the tokens of seats and matches. They are kept in memory and in
 * `sessionStorage`, never in `localStorage`, cookies or addresses.
 */

import { keptIn } from "./storage";

const { read, write } = keptIn(() => sessionStorage);

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
  const fragment = new URLSearchParams(location.hash.slice(1));
  const code = fragment.get("code");
  if (code === null) return;
  setCode(code);
  fragment.delete("code");
  const rest = fragment.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
}

/** Return the join code or password of the server; empty if none was given. */
export function code(): string {
  return read(CODE) ?? "";
}

/** Return the fragment of an address with the join code, such as `#code=k3f9-xa2m`; empty without one. A password is never in it. */
export function codeFragment(): string {
  return code() && read(PASSWORD) === undefined ? `#code=${encodeURIComponent(code())}` : "";
}

/** Keep the join code or password of the server. */
export function setCode(text: string, isPassword = false): void {
  write(CODE, isPassword ? text : text.trim());
  write(PASSWORD, isPassword ? "1" : undefined);
}

/** Return the seat that this tab plays in a match. */
export function seatOf(matchId: string): Seat | undefined {
  const [seat, token] = (read(SEATS + matchId) ?? "").split(" ");
  return seat && token ? { seat: Number(seat), token } : undefined;
}

/** Keep the seat that this tab plays in a match. */
export function keepSeat(matchId: string, { seat, token }: Seat): void {
  write(SEATS + matchId, `${seat} ${token}`);
}

/** Forget the seat of a match, which belongs to another terminal now. */
export function dropSeat(matchId: string): void {
  write(SEATS + matchId, undefined);
}

/** Return the token of the host of a match; undefined if this tab did not make it. */
export function hostTokenOf(matchId: string): string | undefined {
  return read(HOSTS + matchId);
}

/** Keep the token of the host of a match. */
export function keepHostToken(matchId: string, token: string): void {
  write(HOSTS + matchId, token);
}
