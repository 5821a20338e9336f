import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import { MatchSchema, MatchStatus, SeatKind, SeatSetupSchema, TimeoutPolicy } from "../src/gen/vinci/v1/lobby_pb";
import { blamed, CLOCKS, emptyForm, quickForm, requestOf, resized, setupOf, wordOf } from "../src/lobby/request";
import { age, clock, player, short, status } from "../src/lobby/words";

describe("the form", () => {
  test("has bots of the usual level where the server has them, else dummies", () => {
    expect(emptyForm(["easy", "normal"]).seats).toEqual(["human", "human", "normal", "normal"]);
    expect(emptyForm([]).seats).toEqual(["human", "human", "dummy", "dummy"]);
  });

  test("makes the request of a quick game", () => {
    const { seats, startWhenFull, timing } = requestOf(quickForm("hard", 2));
    const bot = { kind: SeatKind.BOT, bot: "hard" };
    expect([seats, startWhenFull]).toEqual([[{ kind: SeatKind.HUMAN }, bot, bot], true]);
    expect(timing?.onTimeout).toBe(TimeoutPolicy.UNSPECIFIED);
  });

  test("sends what was chosen, and leaves the rest to the server", () => {
    const form = { ...emptyForm([]), board: "tiny", clock: "10m + 15 s", timeout: "forfeit", options: { target: "40", deck: "" } } as const;
    const request = requestOf({ ...form, seed: " s1 ", advice: "none", start: "host", absence: "60", tries: "7" });
    expect(request.options?.settings).toEqual({ target: "40" });
    expect(request.timing).toEqual({
      clock: "10m + 15 s",
      onTimeout: TimeoutPolicy.FORFEIT,
      absenceSeconds: 60,
      substitute: "",
    });
    expect([request.seed, request.board, request.noAdvice, request.startWhenFull]).toEqual(["s1", "tiny", true, false]);
    expect(request.mistakes).toEqual({ tries: 7, after: TimeoutPolicy.DEFAULT_ACTION });
  });

  test("keeps seats when their number changes", () => {
    expect(resized(["human", "easy", "hard"], 5)).toEqual(["human", "easy", "hard", "hard", "hard"]);
    expect(resized(["human", "easy", "hard", "dummy"], 3)).toEqual(["human", "easy", "hard"]);
  });

  test("names the field that a refusal is about", () => {
    expect(blamed("BAD_OPTION", { option: "target=0" })).toBe("option target");
    expect([blamed("BAD_SEED", {}), blamed("TOO_MANY_MATCHES", {})]).toEqual(["seed", ""]);
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
  expect(open.seats.map(player)).toEqual(["Ann", "(open)", "(any bot)"]);
  expect(status(open)).toBe("1 seat open");
  expect(status(create(MatchSchema, { status: MatchStatus.RUNNING, round: 3, paused: true }))).toBe("round 3, paused");
  expect(status(create(MatchSchema, { status: MatchStatus.RUNNING }))).toBe("opening draft");
});

test("times in words", () => {
  expect([short(90), short(5_400), short(0), age(200), age(30)]).toEqual(["1 min 30 s", "1 h 30 min", "0 s", "3 min", "new"]);
  expect([clock(CLOCKS.get("10m+15s")), clock(CLOCKS.get("30")), clock(CLOCKS.get(""))]).toEqual(["10 min + 15 s", "30 s a decision", "no clock"]);
});
