import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import {
  type MatchField,
  MatchFieldKind,
  MatchFieldSchema,
  MatchSchema,
  MatchStatus,
  SeatKind,
  SeatSetupSchema,
} from "../src/gen/vinci/v1/lobby_pb";
import { emptyForm, quickForm, requestOf, resized, setupOf, shown, wordOf } from "../src/lobby/request";
import { age, isListed, player, short, status, value } from "../src/lobby/words";
import { keepTutorial } from "../src/tutorial/current";
import lessons from "../src/tutorial/lessons/en.json";

const text = (code: string, en: string) => ({ code, names: { en } });
const group = text("time", "Time");
const FIELDS = [
  { text: text("seats", "How many"), kind: MatchFieldKind.SEATS, group },
  { text: text("clock", "Clock"), kind: MatchFieldKind.TEXT, group, values: [text("", "no clock"), text("30s", "30 s a decision")] },
  { text: text("timeout", "When time is up"), kind: MatchFieldKind.CHOICE, group, onlyIf: "clock" },
  {
    text: text("absence", "Whoever is away"),
    kind: MatchFieldKind.SECONDS,
    group,
    values: [text("", "is waited for"), text("*", "is replaced after {value}")],
  },
  { text: text("sealed", "Sealed seed"), kind: MatchFieldKind.CHOICE },
].map((field) => create(MatchFieldSchema, field));

describe("the form", () => {
  test("has bots of the usual level where the server has them, else dummies", () => {
    expect(emptyForm(["easy", "normal"]).seats).toEqual(["human", "normal", "normal", "normal"]);
    expect(emptyForm([]).seats).toEqual(["human", "dummy", "dummy", "dummy"]);
  });

  test("makes the request of a quick game", () => {
    const bot = { kind: SeatKind.BOT, bot: "hard" };
    const seats = [{ kind: SeatKind.HUMAN }, bot, bot];
    expect(requestOf(quickForm("hard", 2, 120))).toEqual({ seats, options: { settings: {} }, startWhenFull: true });
  });

  test("sends what was chosen as it was typed, and leaves the rest to the server", () => {
    const values = { board: "tiny", clock: "10m + 15 s", timeout: "forfeit", target: "40", deck: "", seed: " " };
    const settings = { board: "tiny", clock: "10m + 15 s", timeout: "forfeit", target: "40" };
    expect(requestOf({ ...emptyForm([]), values }).options).toEqual({ settings });
  });

  test("shows the fields that can be chosen now", () => {
    const codes = (values: Record<string, string>) => shown(FIELDS, values).map(({ text }) => text?.code);
    expect(codes({ clock: " " })).toEqual(["clock", "absence"]);
    expect(codes({ clock: "30" })).toEqual(["clock", "timeout", "absence"]);
  });

  test("keeps seats when their number changes", () => {
    expect(resized(["human", "easy", "hard"], 5)).toEqual(["human", "easy", "hard", "hard", "hard"]);
    expect(resized(["human", "easy", "hard", "dummy"], 3)).toEqual(["human", "easy", "hard"]);
  });
});

test("words of seats say the same in both directions", () => {
  const words = ["human", "dummy", "bot", "hard:raider"];
  const setups = words.map((word) => create(SeatSetupSchema, setupOf(word)));
  expect(setups.map(({ kind, bot }) => wordOf({ kind, bot }))).toEqual(words);
});

test("matches in words", () => {
  const seats = [{ seat: 1, kind: SeatKind.HUMAN, taken: true, player: "Ann" }, { seat: 2, kind: SeatKind.HUMAN }, { seat: 3, kind: SeatKind.BOT }];
  const open = create(MatchSchema, { status: MatchStatus.OPEN, seats });
  expect(open.seats.map(player)).toEqual(["Ann", "(open)", "(any computer player)"]);
  expect(status(open)).toBe("1 seat open");
  expect(status(create(MatchSchema, { status: MatchStatus.RUNNING, round: 3, paused: true }))).toBe("round 3, paused");
  expect(status(create(MatchSchema, { status: MatchStatus.RUNNING }))).toBe("opening draft");
});

test("times in words", () => {
  expect([short(90), short(5_400), short(0), age(200), age(30)]).toEqual(["1 min 30 s", "1 h 30 min", "0 s", "3 min", "new"]);
});

test("values in the words of the server", () => {
  const [, clock, , absence] = FIELDS;
  const words = (field: MatchField | undefined, ...codes: string[]) => codes.map((code) => field && value(field, code));
  expect(words(clock, "", "30s", "3m+5s")).toEqual(["no clock", "30 s a decision", "3m+5s"]);
  expect(words(absence, "", "90", "soon")).toEqual(["is waited for", "is replaced after 1 min 30 s", "is replaced after soon"]);
});

test("lists have of tutorials only the own one that can go on", () => {
  const tutorial = create(MatchSchema, { matchId: "t", seed: lessons.seed, fromPosition: true });
  expect([create(MatchSchema, { seed: lessons.seed }), create(MatchSchema, { fromPosition: true })].map(isListed)).toEqual([true, true]);
  expect(isListed(tutorial)).toBe(false);
  keepTutorial("t");
  expect(isListed(tutorial)).toBe(true);
  keepTutorial(undefined);
  expect(isListed(tutorial)).toBe(false);
});
