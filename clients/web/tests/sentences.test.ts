import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test } from "vitest";

import { AdviceSchema, BoardSchema, CostItemSchema, EventSchema, MarketSlotSchema, ProspectSchema, UpdateSchema } from "../src/gen/vinci/v1/game_pb";
import { ListTraitsResponseSchema, MatchSchema, ProposalSchema, SeatKind } from "../src/gen/vinci/v1/lobby_pb";
import { ReviewedTurnSchema } from "../src/gen/vinci/v1/match_pb";
import { choose, install, LANGUAGES } from "../src/i18n/i18n";
import { Names } from "../src/match/names";
import { happened, ownConquests, recapOf, sinceLastTurn } from "../src/match/recap";
import { sentence } from "../src/match/sentences";
import { actedFor, scoreParts, sentenceOf, undone } from "../src/match/wording";
import { refusal } from "../src/play/violations";
import { costOf, futuresOf, prospectOf, proposalOf, reasonsOf } from "../src/play/wording";
import { betterOf, playedOf, verdictOf } from "../src/replay/review/moves";
import cases from "../../../tests/data/sentences.json";

const { board, rules, match } = cases.names;
const market = cases.names.market.map((slot) => fromJson(MarketSlotSchema, slot));

/** What is said of each case of tests/data/sentences.json, which the terminal client is tested with, too. */
const TOLD = {
  events: cases.events.map((one) => [one.text, (names: Names) => sentenceOf(fromJson(EventSchema, one.event as JsonValue), names)]),
  previews: cases.events.map((one) => [
    "ahead" in one ? one.ahead : one.text,
    (names: Names) => sentenceOf(fromJson(EventSchema, one.event as JsonValue), names, true),
  ]),
  // the page names provinces where others give their codes
  refusals: cases.refusals.map(({ reason, facts, text, page }) => [
    page ?? text,
    (names: Names) => refusal({ facts: { rule: "R-X-1", violation: reason, ...facts }, text: "" } as never, names),
  ]),
  acted: cases.acted.map(({ seat, by, person, text }) => [
    text,
    (names: Names) => actedFor(fromJson(UpdateSchema, { seat, by }), person ? SeatKind.HUMAN : SeatKind.BOT, names),
  ]),
  undone: cases.undone.map(({ seat, taken, to, text }) => {
    const updates = taken.map((notation) => fromJson(UpdateSchema, { notation }));
    return [text, (names: Names) => undone(fromJson(UpdateSchema, { seat, undoTo: to }), updates, names)];
  }),
  proposals: cases.proposals.map((one) => [one.text, (names: Names) => proposalOf(fromJson(ProposalSchema, one.proposal), names)]),
  advice: cases.advice.map((one) => [one.text, (names: Names) => reasonsOf(fromJson(AdviceSchema, one.advice as JsonValue), market, names)]),
  prospects: cases.prospects.map((one) => [one.text, (names: Names) => prospectOf(fromJson(ProspectSchema, one.prospect as JsonValue), names)]),
  futures: cases.futures.map((one) => {
    const found = one.prospects.map((prospect) => fromJson(ProspectSchema, prospect as JsonValue));
    return [one.text, (names: Names) => futuresOf(found, market, names)];
  }),
  costs: cases.costs.map(({ items, text }) => {
    const parts = items.map((item) => fromJson(CostItemSchema, item as JsonValue));
    return [text, (names: Names) => costOf(parts, names)];
  }),
  scores: cases.scores.map((one) => [one.text, (names: Names) => scoreParts(fromJson(EventSchema, one.event), names)]),
  outcomes: cases.outcomes.map((one) => [one.text, (names: Names) => sentence("outcome", one.outcome, names)]),
  recaps: cases.recaps.map(({ seat, updates, text }) => {
    const past = happened(updates.map((events, revision) => fromJson(UpdateSchema, { revision: String(revision), events })));
    return [text, (names: Names) => recapOf(sinceLastTurn(past, seat), seat, names, ownConquests(past, seat)).map((one) => one.text)];
  }),
  reviews: cases.reviews.map(({ moves, loss: [mean, halfWidth], choices, text, vp_loss = 0, wins = 0.5, now }) => {
    const [played, preferred] = moves;
    const loss = { mean, halfWidth };
    const turn = fromJson(ReviewedTurnSchema, { seat: 1, played, preferred, choices, loss, vpLoss: { mean: vp_loss }, wins: [wins], ...(now === undefined ? {} : { now }) } as JsonValue);
    return [text, (names: Names) => [verdictOf(turn, names), playedOf(turn, names), betterOf(turn, names)]];
  }),
  plain: cases.plain.map(({ id, facts, text }) => [text, () => sentence(camel(id), renamed(facts))]),
} as unknown as Readonly<Record<string, readonly (readonly [Readonly<Record<string, unknown>>, (names: Names) => unknown])[]>>;

/** Return the seat that is played here in each case; "previews" are those of events. */
function seatsOf(what: string): readonly number[] {
  const told = (cases as Readonly<Record<string, object>>)[what === "previews" ? "events" : what] as readonly { readonly own?: readonly number[] }[];
  return told.map(({ own = [] }) => own[0] ?? 0);
}

/** Return an id or the name of a fact as the page has it. */
function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function renamed(facts: object): object {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]: [string, unknown]) => [camel(name), fact]));
}

afterEach(() => install("en", {}));

describe.each(LANGUAGES)("sentences in %s", (language) => {
  test.each(Object.keys(TOLD))("about %s are those of all clients", async (what) => {
    await choose(language);
    const traits = fromJson(ListTraitsResponseSchema, rules);
    const names = seatsOf(what).map((seat) => new Names(fromJson(BoardSchema, board), traits).of(fromJson(MatchSchema, match), seat));
    for (const [at, [text, told]] of (TOLD[what] ?? []).entries()) expect(told(names[at] ?? expect.fail())).toEqual(text[language]);
  });
});

test("all cases are told", () => {
  expect(new Set(["names", ...Object.keys(TOLD)])).toEqual(new Set(["previews", ...Object.keys(cases)]));
});
