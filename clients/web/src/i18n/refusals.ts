/**
 * Refusals in the language of the page, by reason and facts, as server/vinci_refusals words them. The sentences in
 * `refusals/{fr,nl,de}.json` are written by `python -m tools.web_texts` from the catalogues of the terminal client.
 */

type Table<T> = Readonly<Record<string, T>>;

/** The sentences of refusals in a language. */
export interface Refusals {
  /** Sentences by reason and variant. */
  readonly reasons: Table<Table<string>>;
  /** Values of facts that are translated, by the value in English. */
  readonly phrases: Table<string>;
  /** Between the words of the fact `near`. */
  readonly or: string;
  /** A refusal of one of several positions, with `place` and `sentence`. */
  readonly place: string;
}

/** Return the sentence of a refusal; empty if its reason, its variant or a fact in it is unknown. */
export function worded(refusals: Refusals, reason: string, facts: Table<string>): string {
  const texts = found(refusals.reasons, reason) ?? {};
  const which = facts["which"] ?? "";
  const variant = which || facts["needs"] || facts["limit"] || "";
  const text = found(texts, variant) ?? (which ? "" : (found(texts, "") ?? ""));
  let isWhole = text !== "";
  const sentence = text.replace(/\{(\w+)(!r)?\}/g, (_, name: string, isQuoted: string | undefined) => {
    const fact = found(facts, name);
    isWhole &&= fact !== undefined;
    const value = name === "near" ? (fact ?? "").split(" ").join(refusals.or) : (found(refusals.phrases, fact ?? "") ?? fact ?? "");
    return isQuoted ? quoted(value) : value;
  });
  if (!isWhole) return "";
  const place = facts["place"];
  return place === undefined ? sentence : refusals.place.replace("{place}", () => place).replace("{sentence}", () => sentence);
}

/** Return a text in quotes, as Python writes it. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`) + quote;
}

function found<T>(table: Table<T>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
