import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";

import { failureOf } from "../src/connection/errors";
import { BoardSchema } from "../src/gen/vinci/v1/game_pb";
import { ListTraitsResponseSchema } from "../src/gen/vinci/v1/lobby_pb";
import german from "../src/i18n/de.json";
import { choose, install } from "../src/i18n/i18n";
import { worded } from "../src/i18n/refusals";
import germanRefusals from "../src/i18n/refusals/de.json";
import frenchRefusals from "../src/i18n/refusals/fr.json";
import { Names } from "../src/match/names";
import { refusal } from "../src/play/violations";
import catalogue from "./refusals.json";

type Facts = Readonly<Record<string, string>>;

const samples: readonly { reason: string; facts: Facts; text: string }[] = catalogue.samples;

afterEach(() => install("en", {}));

/** Return a refusal as it arrives. */
function received(reason: string, facts: Facts, message: string): ConnectError {
  const error = new ConnectError(message, Code.FailedPrecondition);
  error.details.push({ type: "google.rpc.ErrorInfo", value: errorInfo(reason, facts) });
  return error;
}

function errorInfo(reason: string, facts: Facts): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(facts).flatMap(([name, fact]) => field(3, [...field(1, bytes(name)), ...field(2, bytes(fact))]));
  return new Uint8Array([...field(1, bytes(reason)), ...entries]);
}

function field(number: number, content: readonly number[]): number[] {
  return [number * 8 + 2, content.length, ...content];
}

function bytes(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

describe("a refusal", () => {
  test.each(samples)("$reason $facts is worded as by the server", ({ reason, facts, text }) => {
    expect(worded(catalogue.english, reason, facts)).toBe(text);
  });

  test("of every reason of the server has a sentence and is translated", () => {
    const reasons = new Set(samples.filter(({ text }) => text).map(({ reason }) => reason));
    expect([...reasons].sort()).toEqual(Object.keys(catalogue.english.reasons).sort());
    for (const { reason, facts, text } of samples) {
      for (const table of [germanRefusals, frenchRefusals]) {
        const sentence = worded(table, reason, facts);
        expect(sentence === "").toBe(text === "");
        if (text && facts["which"] !== "FORM") expect(sentence).not.toBe(text);
      }
    }
  });

  test("is shown in the language of the page, as a whole sentence", async () => {
    await choose("de");
    const error = received("MATCH_ENDED", { ended: "it did not start in time" }, "the match was ended: it did not start in time");
    expect(failureOf(error).text).toBe("Die Partie wurde beendet: sie hat nicht rechtzeitig begonnen.");
    expect(failureOf(received("SEAT_TAKEN", { seat: "2" }, "seat 2 is taken")).text).toBe("Platz 2 ist besetzt.");
  });

  test("is shown as the server words it in English and if its reason, variant or facts are unknown", async () => {
    expect(failureOf(received("SEAT_TAKEN", { seat: "2" }, "seat 2 is taken")).text).toBe("Seat 2 is taken.");
    await choose("de");
    for (const [reason, facts] of [
      ["LATER", {}],
      ["SEAT_TAKEN", {}],
      ["SEAT_TAKEN", { which: "LATER", seat: "2" }],
    ] as const) {
      expect(failureOf(received(reason, facts, "wait for the moon")).text).toBe("Wait for the moon.");
    }
  });
});

describe("an illegal action", () => {
  const board = create(BoardSchema, {
    provinces: [{ code: "ALP", names: { en: "Alps", de: "Alpen" }, objectNames: { en: "the Alps", de: "die Alpen" } }],
  });
  const names = new Names(board, create(ListTraitsResponseSchema));
  const told = (violation: string, facts: Facts): string =>
    refusal(failureOf(received("ILLEGAL_ACTION", { rule: "R-1", violation, ...facts }, "x ALP breaks R-1")), names);

  test("is explained with the rule that it breaks", () => {
    expect(told("NotEnoughPawns", { province: "ALP", needed: "5", available: "3" })).toBe(
      "Conquering the Alps costs 5; you have 3 in hand (R-1).",
    );
    expect(told("WrongNumberOfPawns", { placed: "2", least: "3", most: "3" })).toBe("You placed 2 pawns; place 3 (R-1).");
    expect(told("TooManyForts", { forts: "2", copies: "1" })).toBe("You may build 1 fort this turn (R-1).");
    expect(told("OutOfReach", { province: "ALP", reachable: "" })).toBe("You cannot reach the Alps; within reach: nothing (R-1).");
    install("de", german, germanRefusals);
    expect(told("OwnProvince", { province: "ALP" })).toBe("Du hältst die Alpen schon (R-1).");
  });

  test("is shown as the server words it if the violation is unknown", () => {
    expect(told("Later", {})).toBe("X ALP breaks R-1.");
    expect(told("AtPeace", { province: "ALP" })).toBe("X ALP breaks R-1.");
    expect(told("evacuated", { seat: "1", provinces: "ALP" })).toBe("X ALP breaks R-1.");
  });
});
