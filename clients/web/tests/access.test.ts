import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { dropSeat, hostTokenOf, keepBeyondTab, keepHostToken, keepSeat, seatOf } from "../src/connection/access";
import { asksWho, newPersonKey } from "../src/connection/personKey";

/** A storage of a browser; keys are its own properties, as in browsers. */
function storage(): Storage {
  const kept: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, text: string) => (kept[key] = text),
    removeItem: (key: string) => Reflect.deleteProperty(kept, key),
  };
  return new Proxy(kept, { get: (_, key) => methods[key as keyof typeof methods] }) as unknown as Storage;
}

const SEAT = { seat: 2, token: "abc.2.xyz" };

beforeEach(() => {
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("localStorage", storage());
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Close the tab and open another one. */
function newTab(): void {
  vi.stubGlobal("sessionStorage", storage());
}

test("seats and matches made outlive the tab where browsers are nobody else's", () => {
  keepBeyondTab(true);
  keepSeat("m1", SEAT);
  keepHostToken("m1", "host");
  newTab();
  expect([seatOf("m1"), hostTokenOf("m1")]).toEqual([SEAT, "host"]);
  dropSeat("m1");
  expect(seatOf("m1")).toBeUndefined();
});

test("on a server without persons they end with the tab, those from before too", () => {
  keepBeyondTab(true);
  keepSeat("m1", SEAT);
  keepBeyondTab(false);
  keepSeat("m2", SEAT);
  expect([seatOf("m1"), seatOf("m2")]).toEqual([SEAT, SEAT]);
  newTab();
  expect([seatOf("m1"), seatOf("m2")]).toEqual([undefined, undefined]);
});

test("tokens are forgotten after 90 days", () => {
  vi.useFakeTimers({ now: 0 });
  keepBeyondTab(true);
  keepSeat("m1", SEAT);
  newTab();
  vi.setSystemTime(89 * 86_400_000);
  keepBeyondTab(true);
  expect(seatOf("m1")).toEqual(SEAT);
  vi.setSystemTime(91 * 86_400_000);
  keepBeyondTab(true);
  expect(seatOf("m1")).toBeUndefined();
});

test("the key of a person is sent by calls that ask who calls, and is what the server takes", () => {
  const calls = ["PersonService/ForgetPerson", "LobbyService/JoinMatch", "LobbyService/GetMatch", "MatchService/Act"];
  expect(calls.map((call) => asksWho(`vinci.v1.${call.split("/")[0]}`, call.split("/")[1] ?? ""))).toEqual([true, true, false, false]);
  expect(newPersonKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(newPersonKey()).not.toBe(newPersonKey());
});
