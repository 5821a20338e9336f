import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { keepSeat } from "../src/connection/access";
import { type Bag, Chance, drawCivilization, drawOrder, mixedSeed, take } from "../src/draws/chance";
import { check } from "../src/draws/check";
import { due, keepPledge, type Pledge, pledgeOf } from "../src/draws/pledges";
import rules from "../src/draws/rules.json";
import { hashOf, newNonce } from "../src/draws/sha";
import { told } from "../src/draws/words";
import { type Update, UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { type Match, MatchSchema, MatchStatus } from "../src/gen/vinci/v1/lobby_pb";

describe("draws", () => {
  test("are those of the rules core", () => {
    expect(new Chance("example").pick("die", [1, 2], ["1", "2", "3", "4", "5", "6"])).toBe("3");
    expect(mixedSeed("s", "t", ["n1", "", "n3"])).toBe("f845b57b4a80b1649ff170a5790db15debcd6093153ebe89ca01f55415c826f4");
    expect(newNonce()).toMatch(/^[0-9a-f]{32}$/);
  });

  test("take a single candidate without a draw", () => {
    const chance = new Chance("x");
    expect([chance.pick("market", [0], ["WEA#1"]), chance.picks]).toEqual(["WEA#1", []]);
  });

  test("of two identical traits are repeated as the edition says, and nothing is lost from the bag", () => {
    const bag = (): Bag => new Map([["SPE", 2], ["WEA", 1]]);
    for (const redraws of [true, false]) {
      for (let seed = 0; seed < 20; seed++) {
        const left = bag();
        const drawn = drawCivilization(new Chance(String(seed)), left, 0, redraws);
        expect([...drawn].sort()).toEqual(["SPE", "WEA"]);
        expect(left).toEqual(new Map([["SPE", 1], ["WEA", 0]]));
      }
    }
  });
});

describe("the nonce of a seat", () => {
  const opened = (nonces: readonly string[], some: MessageInitShape<typeof MatchSchema> = {}): Match =>
    create(MatchSchema, {
      matchId: "m",
      status: MatchStatus.OPEN,
      commitment: "c",
      seats: nonces.map((nonce, place) => ({ seat: place + 1, nonceHash: nonce && hashOf(nonce) })),
      ...some,
    });

  beforeEach(() => {
    vi.stubGlobal("localStorage", undefined); // the texts are kept in memory then
    keepSeat("m", { seat: 2, token: "token" });
    keepPledge(opened(["a", "own"]), 2, "own");
  });

  test("is told only when it is due, after the hashes of all are kept", () => {
    expect(due(opened(["a", "own"]), true)).toBeUndefined();
    expect(due(opened(["a", "own"], { noncesDue: [1] }), true)).toBeUndefined();
    expect(pledgeOf("m", 2)?.hashes).toEqual([]);
    expect(due(opened(["a", "own"], { noncesDue: [1, 2] }), true)).toEqual({ nonce: "own" });
    expect(pledgeOf("m", 2)?.hashes).toEqual([hashOf("a"), hashOf("own")]);
    due(opened(["forged", "own"], { noncesDue: [2] }), true);
    expect(pledgeOf("m", 2)?.hashes).toEqual([hashOf("a"), hashOf("own")]);
  });

  test("is not told to a server that has another hash at the seat", () => {
    expect(due(opened(["a", "forged"], { noncesDue: [2] }), true)).toBeUndefined();
  });

  test("stays when its hash got lost before it was told, and is a new one afterwards", () => {
    expect(due(opened(["a", ""], { noncesDue: [2] }), true)).toEqual({ nonceHash: hashOf("own") });
    due(opened(["a", "own"], { noncesDue: [2] }), true);
    expect(due(opened(["", ""], { noncesDue: [1, 2] }), false)).toBeUndefined();
    const fresh = due(opened(["", ""], { noncesDue: [1, 2] }), true);
    const { nonce = "", hashes, voided } = pledgeOf("m", 2) ?? {};
    expect(nonce).not.toBe("own");
    expect([fresh, hashes, voided]).toEqual([{ nonceHash: hashOf(nonce) }, [], 1]);
    expect(due(opened(["b", nonce], { noncesDue: [2] }), true)).toEqual({ nonce });
    expect(pledgeOf("m", 2)?.hashes).toEqual([hashOf("b"), hashOf(nonce)]);
  });

  test("is none where the seat was taken over in a game that runs", () => {
    keepPledge(opened(["a", "theirs"], { status: MatchStatus.RUNNING }), 2, "own");
    expect(pledgeOf("m", 2)).toMatchObject({ nonce: "", hashes: [hashOf("a"), hashOf("theirs")], commitment: "c" });
  });
});

/** A game of a person, and two dummies of which the first takes a civilization, then declines by its die. */
class Game {
  pledge: Pledge;
  first: Record<string, unknown>;
  lines: Record<string, unknown>[];
  last: { result: object; reveal: Record<string, unknown> };
  film: Update[];
  seen: Update[];

  constructor() {
    const [commitment, nonces] = [hashOf("seed|salt"), ["own", "", ""]];
    const hashes = nonces.map((nonce) => nonce && hashOf(nonce));
    const seed = mixedSeed("seed", "salt", nonces);
    this.pledge = { commitment, seed: "", sealed: false, fromPosition: false, edition: "standard", settings: {}, nonce: "own", hashes, voided: 0, time: 0 };
    const [opening, taking, rolling] = [new Chance(seed), new Chance(seed), new Chance(seed)];
    const order = drawOrder(opening, [false, true, true]);
    const bag: Bag = new Map(Object.entries(rules.decks.author));
    const market = Array.from({ length: 6 }, (_, fill) => drawCivilization(opening, bag, fill, true));
    const later = [...market.slice(1), drawCivilization(taking, bag, 6, true)];
    const roll = rolling.pick("die", [4, 2], ["1", "2", "3", "4", "5", "6"]);
    this.first = { vinci: 1, engine: rules.engine, commitment, nonce_hashes: hashes, picks: opening.picks };
    this.lines = [
      { n: 1, seat: 2, by: "dummy", do: "take 1", picks: taking.picks },
      { n: 2, seat: 2, by: "dummy", do: "decline", rolls: [roll] },
      { n: 3, seat: 2, by: "dummy", do: "x ALP", rolls: ["ALP"] },
    ];
    this.last = { result: {}, reveal: { seed: "seed", salt: "salt", nonces } };
    const seats = [{ seat: 1 }, { seat: 2, dummy: true, active: { traits: [...(market[0] ?? [])] } }, { seat: 3, dummy: true }];
    const stateOf = (slots: readonly (readonly string[])[], round: number) => ({ order: [...order], round, seats, market: slots.map((traits) => ({ traits: [...traits] })) });
    this.film = [
      { state: { ...stateOf(market, 0), seats: [{ seat: 1 }, { seat: 2, dummy: true }, { seat: 3, dummy: true }] } },
      { action: { kind: { case: "take" as const, value: { slot: 1 } } }, state: stateOf(later, 4) },
      { state: stateOf(later, 4) },
      { state: stateOf(later, 4) },
    ].map((some, place) =>
      create(UpdateSchema, { ...some, revision: BigInt(place), seat: place && 2, notation: (this.lines[place - 1]?.["do"] ?? "") as string }),
    );
    this.seen = this.film;
  }

  verdict(): string {
    const record = [this.first, ...this.lines, this.last].map((line) => JSON.stringify(line));
    const verdict = check(this.pledge, 1, record, this.film, this.seen);
    return verdict ? told(verdict).join(" ") : "";
  }
}

describe("the check of a game", () => {
  test("says what was checked and what was not", () => {
    expect(new Game().verdict()).toMatch(
      /^Chance was fair: this device checked all \d\d draws\. The draws follow from a secret number that the server fixed before the game and from a random number of this device: nobody could foresee or choose them\. 1 draw of a dummy/,
    );
  });

  test("says that draws were repeated", () => {
    const game = new Game();
    game.pledge = { ...game.pledge, voided: 2 };
    expect(game.verdict()).toContain("They were drawn again 2 times since a player's number did not come.");
  });

  const lies: Record<string, [(game: Game) => unknown, string]> = {
    "another commitment": [({ first }) => (first["commitment"] = hashOf("x")), "it has another commitment"],
    "a seed that was chosen": [({ first }) => (first["sealed"] = true), "whether its seed was chosen"],
    "a position at the start": [({ first }) => (first["position"] = "tiny"), "whether it starts from a position"],
    "an opening that was chosen": [({ first }) => (first["opening_seed"] = "x"), "whether its seed was chosen"],
    "a civilization that nobody drew": [
      ({ film: [, , declined, later] }) => [declined, later].forEach((update) => update?.state?.market.splice(5, 1, { ...update.state.market[5], traits: ["WEA", "BAR"] } as never)),
      "line 3 of its record has WEA where the seed gives",
    ],
    "no draw where one was due": [
      ({ film: [, taken], lines: [line] }) => {
        if (taken) taken.action = undefined;
        if (line) line["picks"] = [];
      },
      "line 2 of its record has – where the seed gives",
    ],
    "no seed": [({ last }) => Reflect.deleteProperty(last, "reveal"), "the server has not revealed the seed"],
    "another seed": [({ last }) => (last.reveal["seed"] = "other"), "the seed that was revealed is not"],
    "another number": [({ last }) => (last.reveal["nonces"] = ["x", "", ""]), "your number is not in the seed"],
    "numbers without hashes": [({ last }) => (last.reveal["nonces"] = ["own", "x", ""]), "the number of seat 2 is not"],
    "other hashes": [({ first }) => (first["nonce_hashes"] = [hashOf("own"), hashOf("x"), ""]), "other hashes of the players' numbers"],
    "another civilization in the record": [({ lines: [taken] }) => ((taken?.["picks"] as string[])[0] = "WEA#1"), "line 2 of its record has WEA#1 where the seed gives"],
    "another order in the record": [({ first }) => (first["picks"] as string[]).reverse(), "line 1 of its record has"],
    "another civilization on the board and in the record": [
      ({ film: [, taken], lines: [line] }) => {
        const last = taken?.state?.market.at(-1);
        if (last) last.traits = ["WEA", "BAR"];
        if (line) line["picks"] = ["WEA#1", "BAR#1"];
      },
      "line 2 of its record has WEA where the seed gives",
    ],
    "another number on the die": [({ lines: [, line] }) => (line && (line["rolls"] = [String((Number((line["rolls"] as string[])[0]) % 6) + 1)])), "line 3 of its record has"],
    "a die rolled twice": [({ lines: [, line] }) => (line?.["rolls"] as string[]).push("6"), "line 3 of its record has 6 where the seed gives –"],
    "a trait that is all in use": [
      ({ film }) => film.slice(1).forEach(({ state }) => state?.seats.forEach((seat) => (seat.active = { ...seat.active, traits: ["BAR", "BAR"] } as never))),
      "more of the trait BAR than there are",
    ],
    "another action": [({ lines: [line] }) => line && (line["do"] = "take 2"), "line 2 of its record is not what was played"],
    "another game than was seen": [
      (game) => (game.seen = game.film.map((update, place) => (place === 2 ? { ...update, notation: "x ALP" } : update))),
      "line 3 of its record is not what was played",
    ],
    "a shorter game": [({ lines }) => lines.pop(), "is not what was played"],
    "draws that are none": [({ first }) => (first["picks"] = 7), "line 1 of its record has 7 where the seed gives"],
    "numbers that are none": [({ last }) => (last.reveal["nonces"] = null), "your number is not in the seed"],
    "a line that is none": [({ lines: [line] }) => line && (line["rolls"] = 7), "its record cannot be read (TypeError"],
    "one number more": [
      ({ first, last }) => {
        last.reveal["nonces"] = ["own", "", "", "x"];
        first["nonce_hashes"] = [hashOf("own"), "", "", hashOf("x")];
      },
      "other hashes of the players' numbers",
    ],
  };
  test.each(Object.entries(lies))("finds %s", (_, [lie, found]) => {
    const game = new Game();
    lie(game);
    expect(game.verdict()).toContain("The draws of this game cannot be trusted: ");
    expect(game.verdict()).toContain(found);
  });

  test("says that other rules were not checked, and that nothing was known", () => {
    const game = new Game();
    game.first["engine"] = "9.9.9";
    expect(game.verdict()).toContain("The draws were not checked: the server has other rules.");
    expect(check(undefined, 1, [], [], [])).toEqual({ kind: "unchecked", why: "unknown" });
    expect(check(game.pledge, 1, ["{}"], [], [])).toEqual({ kind: "unchecked", why: "no_result" });
    expect(check({ ...game.pledge, commitment: "", seed: "7" }, 1, [], [], [])).toBeUndefined();
  });
});

test("a bag lacks what was taken", () => {
  const bag: Bag = new Map([["WEA", 1]]);
  expect([take(bag, "WEA"), take(bag, "WEA"), take(bag, "XXX")]).toEqual([true, false, false]);
});
