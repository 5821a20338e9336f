import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test } from "vitest";

import { BoardSchema, EventSchema, Holding, StateSchema, type Update, UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { ListTraitsResponseSchema, MatchSchema, SeatKind } from "../src/gen/vinci/v1/lobby_pb";
import german from "../src/i18n/de.json";
import french from "../src/i18n/fr.json";
import { install, plural, preferred, signed, t } from "../src/i18n/i18n";
import { attacksOf } from "../src/match/attacks";
import { Names } from "../src/match/names";
import { effectsOf } from "../src/play/wording";
import { captionOf, type LogEntry, LogWriter } from "../src/match/wording";

const board = create(BoardSchema, {
  provinces: [
    { code: "ALP", names: { en: "Alps", de: "Alpen" }, objectNames: { en: "the Alps", de: "die Alpen" }, neighbours: ["LOM", "PRO"] },
    { code: "LOM", names: { en: "Lombardy", de: "Lombardei" }, neighbours: ["ALP"] },
    { code: "PRO", names: { en: "Provence", de: "Provence" }, neighbours: ["ALP"] },
  ],
});
const rules = create(ListTraitsResponseSchema, { scoreSources: [{ code: "province", names: { en: "provinces", de: "Provinzen" } }] });
const names = new Names(board, rules).of(create(MatchSchema, { seats: [{ player: "Ann" }, { player: "dummy" }] }));

test("a person without a name is a guest, and a name that looks alike stays", () => {
  const { seats } = create(MatchSchema, { seats: [{ player: "human 1" }, { player: "human" }, { player: "human kind" }] });
  const guests = new Names(board, rules).of(create(MatchSchema, { seats }));
  expect([1, 2, 3].map((seat) => guests.seat(seat))).toEqual(["Guest 1", "guest (2)", "human kind (3)"]);
});

test("a preview leaves out what the button says, and keeps whom a conquest hurts and what is given up", () => {
  const told = (kind: MessageInitShape<typeof EventSchema>["kind"]): readonly string[] => effectsOf([create(EventSchema, { kind } as object)], names).others;
  const taken = { seat: 1, province: "ALP", cost: 3, held: Holding.NEUTRAL };
  expect(told({ case: "conquered", value: taken })).toEqual([]);
  expect(told({ case: "conquered", value: { ...taken, held: Holding.ACTIVE, defender: 2 } })).toHaveLength(1);
  const held = { seat: 1, provinces: ["ALP"], pawns: [3] };
  expect(told({ case: "reorganised", value: held })).toEqual([]);
  expect(told({ case: "reorganised", value: { ...held, givenUp: ["LOM"] } })).toEqual(["Ann (1) would hold Alps 3, abandoning Lombardy."]);
  expect(told({ case: "stayed", value: { seat: 1 } })).toEqual([]);
  expect(told({ case: "scored", value: { seat: 1, vp: 2, total: 9 } })).toEqual(["Ann (1) would score 2 VP and stand at 9."]);
});

function logOf(updates: readonly Update[]): readonly LogEntry[] {
  const writer = new LogWriter([SeatKind.HUMAN, SeatKind.DUMMY], names);
  for (const update of updates) writer.add(update);
  return writer.entries;
}

const played = (revision: number, more: MessageInitShape<typeof UpdateSchema>): Update =>
  create(UpdateSchema, { ...(more as object), revision: BigInt(revision), seat: 1, by: "player" });
const conquest = played(1, {
  notation: "x ALP",
  events: [
    {
      kind: {
        case: "conquered",
        value: { seat: 1, province: "ALP", cost: 3, held: Holding.ACTIVE, defender: 2, survivors: 1, fort: true },
      },
    },
  ],
});
const score = played(2, {
  notation: "hold ALP=3",
  events: [
    { kind: { case: "reorganised", value: { seat: 1, provinces: ["ALP"], pawns: [3] } } },
    {
      kind: {
        case: "scored",
        value: { seat: 1, vp: 2, total: 9, items: [{ source: "province", vp: 1 }, { source: "province", vp: 1 }] },
      },
    },
  ],
});
const undo = create(UpdateSchema, { revision: 3n, seat: 1, undoTo: 0n });

afterEach(() => install("en", {}));

describe("what happened", () => {
  test("is told in a sentence with all its parts", () => {
    expect(captionOf([conquest], names)).toBe("Ann (1) conquers the Alps for 3 pawns from Dummy (2), 1 survives, razing a fort.");
  });

  test("is told without the turn of another that begins with it", () => {
    const placed = played(3, {
      events: [
        { kind: { case: "redeployed", value: { seat: 1, provinces: ["ALP"], pawns: [2] } } },
        { kind: { case: "turnStarted", value: { seat: 2, round: 2 } } },
      ],
    });
    expect(logOf([placed]).map(({ seat }) => seat)).toContain(2);
    expect(captionOf([placed], names)).toBe("Ann (1) places survivors: Alps 2.");
  });

  test("is told in the language of the page", () => {
    install("de", german);
    expect(captionOf([conquest], names)).toBe("Ann (1) erobert die Alpen für 3 Steine von Dummy (2), 1 überlebt, eine Festung wird geschleift.");
  });

  test("is logged with the parts of scores", () => {
    const log = logOf([conquest, score]);
    expect(log.map(({ text, detail }) => [text, detail])).toEqual([
      ["Ann (1) conquers the Alps for 3 pawns from Dummy (2), 1 survives, razing a fort.", ""],
      ["Ann (1) holds Alps 3.", ""],
      ["Ann (1) scores 2 VP and stands at 9.", "provinces +2"],
    ]);
  });

  test("names the actions that an undo took back, also those from before the page opened only by revision", () => {
    expect(captionOf([conquest, score, undo], names)).toBe("Ann (1) takes back: conquer the Alps; defend with Alps 3.");
    expect(captionOf([undo], names)).toBe("Ann (1) takes back: what came after revision 0.");
    expect(logOf([conquest, undo]).at(-1)?.text).toBe("Ann (1) takes back: conquer the Alps.");
  });
});

describe("arrows", () => {
  const before = create(StateSchema, {
    provinces: ["ALP", "LOM", "PRO"],
    owners: [2, 1, 1],
    holdings: [Holding.ACTIVE, Holding.ACTIVE, Holding.DECLINED],
    pawns: [1, 2, 5],
  });

  test("come from the largest garrison of the active empire beside the province", () => {
    expect(attacksOf(conquest, before, board)).toEqual([{ seat: 1, origin: "LOM", target: "ALP" }]);
  });

  test("are not drawn while the position before is not known", () => {
    expect(attacksOf(conquest, undefined, board)).toEqual([]);
  });
});

test("numbers have the forms of the language", () => {
  expect([0, 1, 2].map((n) => plural("{n} pawn", "{n} pawns", n))).toEqual(["0 pawns", "1 pawn", "2 pawns"]);
  install("fr", french);
  expect([0, 1, 2].map((n) => plural("{n} pawn", "{n} pawns", n))).toEqual(["0 pion", "1 pion", "2 pions"]);
  expect([-3, 0, 3].map(signed)).toEqual(["-3", "+0", "+3"]);
});

test("the language is the first of the browser's that the page has", () => {
  expect(preferred(["ja-JP", "de-CH", "fr"])).toBe("de");
  expect(preferred(["ja"])).toBe("en");
  expect(t("{unknown} stays", {})).toBe("{unknown} stays");
});
