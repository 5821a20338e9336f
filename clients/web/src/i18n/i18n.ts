/**
 * Texts in the language of the page. English ones are literals in the source: `t("Round {n}", { n })`. Translations are in
 * `fr.json`, `nl.json` and `de.json`, kept by `python -m tools.web_texts`, which fails while one is missing.
 */

import type { Refusals } from "./refusals";

export const LANGUAGES = ["en", "fr", "nl", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Fields = Readonly<Record<string, string | number | bigint>>;
/** Translations by English text; of a text with a number both forms, by the text for one. */
export type Texts = Readonly<Record<string, string | readonly string[]>>;

type Loader = () => Promise<readonly [{ default: Texts }, { default: Refusals }]>;

const LOADERS: Record<Exclude<Language, "en">, Loader> = {
  fr: () => Promise.all([import("./fr.json"), import("./refusals/fr.json")]),
  nl: () => Promise.all([import("./nl.json"), import("./refusals/nl.json")]),
  de: () => Promise.all([import("./de.json"), import("./refusals/de.json")]),
};

let chosen: Language = "en";
let texts: Texts = {};
let refusals: Refusals | undefined;

/** Use a language from now on. */
export async function choose(language: Language): Promise<void> {
  const [translations, ofRefusals] = language === "en" ? [] : await LOADERS[language]();
  install(language, translations?.default ?? {}, ofRefusals?.default);
}

/** Use a language with these translations; without sentences of refusals, those of the server are shown. */
export function install(language: Language, translations: Texts, ofRefusals?: Refusals): void {
  [chosen, texts, refusals] = [language, translations, ofRefusals];
}

/** Return the sentences of refusals; undefined in English, which the server speaks. */
export function refusalTexts(): Refusals | undefined {
  return refusals;
}

/** Return the language of the page. */
export function language(): Language {
  return chosen;
}

/** Return the first of the languages that a person prefers, such as "de-CH", that the page has; else English. */
export function preferred(codes: readonly string[]): Language {
  const known = codes.map((code) => LANGUAGES.find((language) => code.toLowerCase().split(/[-_]/)[0] === language));
  return known.find((language) => language !== undefined) ?? "en";
}

/** Translate a text, which must be a literal, and fill in its fields. */
export function t(text: string, fields?: Fields): string {
  return translated(text, fields);
}

/** Mark a literal as a text; `translated` translates it where it is shown. */
export function mark(text: string): string {
  return text;
}

/** Translate a text that is marked elsewhere. */
export function translated(text: string, fields: Fields = {}): string {
  const found = texts[text];
  return filled(typeof found === "string" ? found : text, fields);
}

/** Translate a text with a number, both forms literals, and fill in `{n}` and its other fields. */
export function plural(one: string, many: string, n: number, fields: Fields = {}): string {
  return filled(formOf(one, many, n), { n, ...fields });
}

/** Translate a text with a number that is marked elsewhere, in the form for it. */
export function formOf(one: string, many: string, n: number): string {
  const isOne = chosen === "fr" ? n <= 1 : n === 1;
  const forms = texts[one];
  const [first = one, other = many] = typeof forms === "object" ? forms : [];
  return isOne ? first : other;
}

/** Return a text with a capital. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return a number with its sign. */
export function signed(number: number): string {
  return `${signOf(number)}${Math.abs(number)}`;
}

/** Return the sign of a number, as the terminal client writes it. */
export function signOf(number: number): string {
  return number < 0 ? "-" : "+";
}

/** Return a number with one digit behind the separator of the language. */
export function decimal(number: number): string {
  return number.toLocaleString(chosen, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** Join words as in a sentence: a, b and c. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return t("{first} and {last}", { first: words.slice(0, -1).join(", "), last: words.at(-1) ?? "" });
}

function filled(text: string, fields: Fields): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(fields[name] ?? whole));
}
