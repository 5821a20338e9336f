/** Sentences for what happens at a table, from the messages of the server. */

import { type Conquered, type Event, Holding, type Reorganised, type Update } from "../gen/vinci/v1/game_pb";
import { SeatKind } from "../gen/vinci/v1/lobby_pb";
import { plural, t } from "../i18n/i18n";
import type { Names } from "./names";
import { standing } from "./selectors";

/** Return a number of pawns in words. */
export function pawns(number: number): string {
  return plural("{n} pawn", "{n} pawns", number);
}

/** Describe an event in a sentence; empty for an event that only the board shows. */
export function sentenceOf({ kind }: Event, names: Names): string {
  switch (kind.case) {
    case "orderDrawn":
      return t("Order of play: {seats}.", { seats: kind.value.order.map((seat) => names.seat(seat)).join(", ") });
    case "civilizationTaken": {
      const { seat, traits, paid, received } = kind.value;
      const price = (paid ? t(", paying {vp} VP", { vp: paid }) : "") + (received ? t(", receiving {vp} VP", { vp: received }) : "");
      const fields = { who: names.seat(seat), traits: names.civilization(traits), pawns: pawns(kind.value.pawns), price };
      return t("{who} takes {traits} with {pawns}{price}.", fields);
    }
    case "turnStarted": {
      const { seat, round, reserve, byMedicine, byGeneral } = kind.value;
      let more = "";
      if (byMedicine) more += plural(", {n} of them new by Medicine", ", {n} of them new by Medicine", byMedicine);
      if (byGeneral) more += plural(", {n} of them lent by General", ", {n} of them lent by General", byGeneral);
      return t("Round {round}: {who} mobilises {pawns}{more}.", { round, who: names.seat(seat), pawns: pawns(reserve), more });
    }
    case "peaceNamed":
      return t("{who} declares peace with {other}.", { who: names.seat(kind.value.seat), other: names.seat(kind.value.other) });
    case "abandoned":
      return t("{who} abandons {province}.", { who: names.seat(kind.value.seat), province: names.provinceObject(kind.value.province) });
    case "conquered":
      return conquered(kind.value, names);
    case "evacuated": {
      const provinces = names.provincesObject(kind.value.provinces);
      return t("{who} evacuates its declined empire from {provinces}.", { who: names.seat(kind.value.seat), provinces });
    }
    case "declineVanished":
      return t("The declined empire of {who} is gone.", { who: names.seat(kind.value.seat) });
    case "empireCollapsed":
      return t("The empire of {who} collapses and must decline.", { who: names.seat(kind.value.seat) });
    case "reorganised":
      return reorganised(kind.value, names);
    case "scored": {
      const { seat, vp, total } = kind.value;
      return t("{who} scores {vp} VP and stands at {total}.", { who: names.seat(seat), vp, total });
    }
    case "declined": {
      const { seat, provinces, traits } = kind.value;
      const fields = { who: names.seat(seat), provinces: plural("{n} province", "{n} provinces", provinces.length) };
      if (traits.length === 0) return t("{who} declines with {provinces}.", fields);
      return t("{who} declines with {provinces}, {traits} lasting.", { ...fields, traits: names.civilization(traits) });
    }
    case "stayed":
      return t("{who} does not decline.", { who: names.seat(kind.value.seat) });
    case "redeployed":
      return t("{who} redeploys {pawns}.", { who: names.seat(kind.value.seat), pawns: placed(kind.value, names) });
    case "survivorsInReserve":
      return plural("{n} pawn of {who} survives without land.", "{n} pawns of {who} survive without land.", kind.value.pawns, {
        who: names.seat(kind.value.seat),
      });
    case "targetReached":
      return t("{who} stands at {vp} VP: this round is the last.", { who: names.seat(kind.value.seat), vp: kind.value.vp });
    case "seatForfeited":
      return t("{who} leaves the game.", { who: names.seat(kind.value.seat) });
    case "gameOver":
      return t("The game is over.");
    default:
      return "";
  }
}

function conquered({ seat, province, cost, spies, held, defender, survivors, fort }: Conquered, names: Names): string {
  let more = spies ? t(" by Spies") : "";
  if (held === Holding.NEUTRAL) more += t(", removing a neutral pawn");
  else if (defender) {
    const who = names.seat(defender);
    more += held === Holding.DECLINED ? t(" from the declined empire of {who}", { who }) : t(" from {who}", { who });
    if (survivors) more += plural(", {n} survives", ", {n} survive", survivors);
  }
  if (fort) more += t(", razing a fort");
  const fields = { who: names.seat(seat), province: names.provinceObject(province), pawns: pawns(cost), more };
  return t("{who} conquers {province} for {pawns}{more}.", fields);
}

function reorganised(done: Reorganised, names: Names): string {
  let more = "";
  if (done.forts.length > 0) {
    const provinces = names.provincesObject(done.forts);
    more += plural(", building a fort in {provinces}", ", building forts in {provinces}", done.forts.length, { provinces });
  }
  if (done.givenUp.length > 0) more += t(", giving up {provinces}", { provinces: names.provincesObject(done.givenUp) });
  if (done.lost) more += t(", losing {pawns}", { pawns: pawns(done.lost) });
  return t("{who} holds {pawns}{more}.", { who: names.seat(done.seat), pawns: placed(done, names) || t("nothing"), more });
}

function placed({ provinces, pawns }: { provinces: readonly string[]; pawns: readonly number[] }, names: Names): string {
  return provinces.map((code, place) => `${names.province(code)} ${pawns[place] ?? 0}`).join(", ");
}

/** Return the parts of a score, by empire and source: "province +5, port +2". */
export function scoreParts({ kind }: Event, names: Names): string {
  if (kind.case !== "scored") return "";
  const totals = new Map<string, number>();
  for (const { empire, source, vp } of kind.value.items) {
    const key = `${empire === Holding.DECLINED ? "declined" : ""} ${source}`;
    totals.set(key, (totals.get(key) ?? 0) + vp);
  }
  const parts = Array.from(totals, ([key, vp]) => {
    const [empire, code] = key.split(" ");
    const source = names.scoreSource(code ?? "");
    return empire ? t("declined {source} {vp}", { source, vp: signed(vp) }) : `${source} ${signed(vp)}`;
  });
  return parts.join(", ");
}

/** Return a number with its sign. */
export function signed(number: number): string {
  return number < 0 ? `−${-number}` : `+${number}`;
}

/** Say what acted in the place of a seat; empty if it acted itself. */
export function actedFor({ seat, by }: Update, kind: SeatKind | undefined, names: Names): string {
  const who = names.seat(seat);
  switch (by) {
    case "substitute":
      return t("A substitute plays for {who}.", { who });
    case "clock":
      return t("Time is up for {who}.", { who });
    case "refused":
      return t("Too many answers of {who} were refused.", { who });
    case "default":
      if (kind === SeatKind.HUMAN) return t("Time is up for {who}: the default action is played.", { who });
      return t("For {who} the default action is played.", { who });
    default:
      return "";
  }
}

/** Say that a seat took actions back. */
export function undone(update: Update, taken: readonly Update[], names: Names): string {
  if (taken.length === 0) return t("{who} takes back: what came after revision {revision}.", { who: names.seat(update.seat), revision: update.undoTo ?? 0 });
  const actions = taken.map(({ notation }) => notation).join("; ");
  return t("{who} takes back: {actions}.", { who: names.seat(update.seat), actions });
}

/** Return what happened in the last of some updates as a few sentences; empty for the position before the first action. */
export function captionOf(past: readonly Update[], names: Names): string {
  const last = past.at(-1);
  if (!last) return "";
  const to = last.undoTo;
  if (to !== undefined) return undone(last, standing(past.slice(0, -1)).filter(({ revision }) => revision > to), names);
  const isScored = last.events.some(({ kind }) => kind.case === "scored");
  const told = last.events.filter(({ kind }) => !(isScored && kind.case === "reorganised")); // the board shows it
  return told.map((event) => sentenceOf(event, names)).filter(Boolean).join(" ");
}

/** An entry of the log. */
export interface LogEntry {
  readonly key: string;
  readonly revision: bigint;
  /** The seat that it is about; 0 for none. */
  readonly seat: number;
  readonly text: string;
  /** The parts of a score; empty for other entries. */
  readonly detail: string;
  /** The number of a round that starts with it; 0 for none. */
  readonly round: number;
}

/** Writes the log of updates, oldest first; what was taken back stays in it, as everybody saw it. */
export class LogWriter {
  readonly entries: LogEntry[] = [];
  private played: Update[] = [];
  private actor = "";
  private round = 0;

  constructor(
    private readonly kinds: readonly SeatKind[],
    private readonly names: Names,
  ) {}

  /** Add the entries of the next update. */
  add(update: Update): void {
    const { revision, undoTo, seat, by } = update;
    if (undoTo !== undefined) {
      this.write(revision, seat, undone(update, this.played.filter((one) => one.revision > undoTo), this.names));
      this.played = this.played.filter((one) => one.revision <= undoTo);
      return;
    }
    this.played.push(update);
    if (seat !== 0 && this.actor !== `${seat} ${by}`) {
      this.write(revision, seat, actedFor(update, this.kinds[seat - 1], this.names));
      this.actor = `${seat} ${by}`;
    }
    for (const event of update.events) {
      const starts = event.kind.case === "turnStarted" && event.kind.value.round !== this.round ? event.kind.value.round : 0;
      if (starts) this.round = starts;
      this.write(revision, seatOf(event), sentenceOf(event, this.names), scoreParts(event, this.names), starts);
    }
  }

  private write(revision: bigint, seat: number, text: string, detail = "", round = 0): void {
    if (text) this.entries.push({ key: `${revision}-${this.entries.length}`, revision, seat, text, detail, round });
  }
}

function seatOf({ kind }: Event): number {
  return kind.value !== undefined && "seat" in kind.value ? kind.value.seat : 0;
}
