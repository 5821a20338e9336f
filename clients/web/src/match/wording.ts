/** Sentences for what happens at a table, from the messages of the server. */

import { type Event, Holding, type MarketSlot, type Update } from "../gen/vinci/v1/game_pb";
import { SeatKind } from "../gen/vinci/v1/lobby_pb";
import { plural, signed, t } from "../i18n/i18n";
import type { Names } from "./names";
import { standing } from "./selectors";
import { sentence } from "./sentences";

/** Return a number of pawns in words. */
export function pawns(number: number): string {
  return plural("{n} pawn", "{n} pawns", number);
}

/** Return what a civilization costs, and the VP that lie on it. */
export function priceOf({ price, markers }: Pick<MarketSlot, "price" | "markers">): string {
  const costs = price > 0 ? t("costs {n} VP", { n: price }) : t("for free");
  return markers > 0 ? `${costs}, ${t("{n} VP lie on it", { n: 2 * markers })}` : costs;
}

/** Describe an event, or one that would happen, in a sentence; empty for an event that only the board shows, or that this page does not know. */
export function sentenceOf({ kind }: Event, names: Names, isAhead = false): string {
  return kind.case === undefined ? "" : sentence(kind.case, kind.value, names, isAhead);
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

/** Say what acted in the place of a seat; empty if it acted itself. */
export function actedFor({ seat, by }: Update, kind: SeatKind | undefined, names: Names): string {
  return sentence("madeBy", { seat, by, person: kind === SeatKind.HUMAN }, names);
}

/** Say that a seat took actions back. */
export function undone({ seat, undoTo = 0n }: Update, taken: readonly Update[], names: Names): string {
  const moves = taken.map(({ notation }) => stepOf(notation, [], names)).join(t("; "));
  return sentence("undone", { seat, taken, moves, revision: undoTo }, names);
}

/** Return the facts of pawns by province and forts, as in `ALP=3 PYR=2 fort ALP`, or of provinces alone. */
export function placed(words: readonly string[]): { provinces: readonly string[]; pawns: readonly string[]; forts: readonly string[] } {
  const [pawns = "", forts = ""] = words.join(" ").split("fort ");
  const pairs = Array.from(pawns.matchAll(/([A-Z]{3})=?(\d*)/g));
  return { provinces: pairs.map(([, code = ""]) => code), pawns: pairs.map(([, , number = ""]) => number), forts: forts.split(" ").filter(Boolean) };
}

/** Return the slot that an action in notation takes a civilization from; 0 for other actions. */
export function slotTaken(notation = ""): number {
  return Number(/^take (\d)$/.exec(notation)?.[1] ?? 0);
}

/** Return an action in notation (docs/notation.md) in words, such as "conquer the Alps" for "x ALP". */
export function stepOf(notation: string, market: readonly MarketSlot[], names: Names): string {
  const [verb, first, ...more] = notation.split(" ");
  const facts = { verb, seat: first, spies: more.includes("spy"), ...placed([first ?? "", ...more]), traits: market[slotTaken(notation) - 1]?.traits };
  return sentence("move", facts, names) || notation;
}

/** Return what happened in the last of some updates as a few sentences; empty for the position before the first action. */
export function captionOf(past: readonly Update[], names: Names): string {
  const last = past.at(-1);
  if (!last) return "";
  const to = last.undoTo;
  if (to !== undefined) return undone(last, standing(past.slice(0, -1)).filter(({ revision }) => revision > to), names);
  const isScored = last.events.some(({ kind }) => kind.case === "scored");
  const next = last.events.findIndex(({ kind }) => kind.case === "turnStarted" && kind.value.seat !== last.seat);
  const own = next > 0 ? last.events.slice(0, next) : last.events; // the turn of another is told when it is played
  const told = own.filter(({ kind }) => !(isScored && kind.case === "reorganised")); // the board shows it
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
