/** Sentences of the catalogue that all clients have, in the language of the page; server/vinci_words/sentences.py describes it. */

import type { Estimate } from "../gen/vinci/v1/game_pb";
import { decimal, formOf, listed, signOf, t, translated } from "../i18n/i18n";
import table from "../i18n/sentences.json";
import type { Names } from "./names";

interface Form {
  readonly slot?: string;
  readonly if?: readonly (readonly [fact: string, wanted: string])[];
  readonly text: string;
  readonly many?: string;
  readonly ahead?: string;
  readonly arguments?: Readonly<Record<string, readonly [kind: string, ...facts: string[]]>>;
}

type Facts = Readonly<Record<string, unknown>>;
type Word = (names: Names, ...facts: never[]) => string;

const FORMS = table as unknown as Readonly<Record<string, readonly Form[]>>;
const MOST_SHOWN = 4;

/** Words for facts, by kind. */
const KINDS: Readonly<Record<string, Word>> = {
  seat: (names, seat: number | string) => names.seat(Number(seat)),
  whom: (names, seat: number) => names.whom(seat),
  seats: (names, seats: readonly number[]) => seats.map((seat) => names.seat(seat)).join(", "),
  allSeats: (names, seats: readonly number[]) => listed(seats.map((seat) => names.seat(seat))),
  province: (names, code: string) => names.provinceObject(code),
  provinces: (names, codes: readonly string[]) => names.provincesObject(codes),
  civilization: (names, traits: readonly string[]) => names.civilization(traits),
  placed: (names, codes: readonly string[], pawns: readonly number[]) =>
    codes.map((code, place) => `${names.province(code)} ${pawns[place] ?? 0}`).join(", ") || t("nothing"),
  some: (names, codes: readonly string[]) => {
    const shown = codes.slice(0, MOST_SHOWN).map((code) => names.province(code));
    return codes.length > MOST_SHOWN ? [...shown, "…"].join(", ") : listed(shown);
  },
  words: (_, words: string) => words.split(" ").join(", "),
  codes: (names, codes: string) => listed(codes.split(/\W+/).filter(Boolean).map((code) => names.province(code))) || t("nothing"),
  count: (_, items: readonly unknown[]) => String(items.length),
  decimal: (_, number: number) => decimal(number),
  size: (_, found: Estimate) => sizeOf(found),
  difference: (_, found: Estimate) => `${signOf(Math.round(found.mean * (found.halfWidth ? 10 : 1)))}${sizeOf(found)}`,
};

/** Return an estimate without its sign; one without an interval is rounded. */
function sizeOf({ mean, halfWidth }: Estimate): string {
  return halfWidth ? `${decimal(Math.abs(mean))} ± ${decimal(halfWidth)}` : String(Math.round(Math.abs(mean)));
}

/**
 * Return a sentence; empty if its id is unknown, nothing is said there, or a fact in it is missing.
 *
 * @param isAhead whether to say what would happen instead of what happened.
 */
export function sentence(name: string, told: object, names?: Names, isAhead = false): string {
  const all = (Object.hasOwn(FORMS, name) && FORMS[name]) || [];
  const facts: Facts = { you: names?.you || "", ...told };
  const forms = all.filter((form) => (form.if ?? []).every(([fact, wanted]) => holds(facts, fact, wanted)));
  const slots = Object.fromEntries(all.map(({ slot = "" }) => [slot, ""]));
  for (const part of forms) if (part.slot) slots[part.slot] = (slots[part.slot] ?? "") + filled(part, facts, names);
  const chosen = forms.find(({ slot }) => slot === undefined);
  if (!chosen) return "";
  const text = (isAhead && chosen.ahead) || chosen.text;
  return filled({ ...chosen, text }, { ...facts, ...slots }, names);
}

/** Return a form with its fields; empty if a fact in it is missing. */
function filled({ text, many, arguments: given = {} }: Form, facts: Facts, names: Names | undefined): string {
  const fields: Record<string, unknown> = { ...facts };
  for (const [name, [kind, ...of]] of Object.entries(given)) fields[name] = word(kind, of.map((fact) => facts[fact]), names);
  const found = many ? formOf(text, many, Number(fields["n"])) : translated(text);
  const isWhole = Array.from(found.matchAll(/\{(\w+)\}/g)).every(([, name = ""]) => fields[name] !== undefined);
  return isWhole ? found.replace(/\{(\w+)\}/g, (_, name: string) => String(fields[name])) : "";
}

function word(kind: string, facts: readonly unknown[], names: Names | undefined): string | undefined {
  if (facts.includes(undefined)) return undefined;
  if (names && Object.hasOwn(KINDS, kind)) return (KINDS[kind] as (names: Names, ...facts: readonly unknown[]) => string)(names, ...facts);
  return kind ? sentence(kind, { n: facts[0] }, names) : String(facts[0]);
}

/** Return whether a fact has a value, or one at all if none is wanted: 0 is none, also as a text. */
function holds(facts: Facts, name: string, wanted: string): boolean {
  const value = facts[name];
  if (wanted === "") return Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== "0";
  return String(value) === (wanted.startsWith("{") ? String(facts[wanted.slice(1, -1)]) : wanted);
}
