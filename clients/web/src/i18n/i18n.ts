/**
 * Texts in the language of the page. English ones are literals in the source: `t("Round {n}", { n })`. Translations are in
 * `fr.json`, `nl.json` and `de.json`, kept by `python -m tools.web_texts`, which fails while one is missing.
 */

export const LANGUAGES = ["en", "fr", "nl", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Fields = Readonly<Record<string, string | number | bigint>>;
/** Translations by English text; of a text with a number both forms, by the text for one. */
export type Texts = Readonly<Record<string, string | readonly string[]>>;

const LOADERS: Record<Exclude<Language, "en">, () => Promise<{ default: Texts }>> = {
  fr: () => import("./fr.json"),
  nl: () => import("./nl.json"),
  de: () => import("./de.json"),
};

let chosen: Language = "en";
let texts: Texts = {};

/** Use a language from now on. */
export async function choose(language: Language): Promise<void> {
  install(language, language === "en" ? {} : (await LOADERS[language]()).default);
}

/** Use a language with these translations. */
export function install(language: Language, translations: Texts): void {
  [chosen, texts] = [language, translations];
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
  const isOne = chosen === "fr" ? n <= 1 : n === 1;
  const forms = texts[one];
  const [first = one, other = many] = typeof forms === "object" ? forms : [];
  return filled(isOne ? first : other, { n, ...fields });
}

/** Join words as in a sentence: a, b and c. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return t("{first} and {last}", { first: words.slice(0, -1).join(", "), last: words.at(-1) ?? "" });
}

function filled(text: string, fields: Fields): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(fields[name] ?? whole));
}
