/** The rules as blocks, read from docs/rules.md and its translations, and the search in them. */

/** A heading, a rule with its id, a point of a list, a numbered step, a paragraph, or a row of a table. */
export interface Block {
  readonly kind: "heading" | "rule" | "point" | "step" | "paragraph" | "columns" | "row";
  /** Where links lead: of a rule its id, of a heading the number of its section, or the group of its rules. */
  readonly anchor: string;
  /** Of a heading, from 1. */
  readonly level: number;
  /** The text, of a row that of each cell. */
  readonly texts: readonly string[];
}

/** A heading and what stands below it up to the next one. */
export interface Section {
  readonly heading: Block;
  readonly blocks: readonly Block[];
}

/** A piece of a text, and how it is shown. */
export interface Piece {
  readonly kind: "text" | "bold" | "italic" | "code" | "link";
  readonly text: string;
  /** Where a link leads. */
  readonly anchor?: string;
}

const RULE = /R-[A-Z]+-\d+/;
const PIECE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]*\)|R-[A-Z]+-\d+)/;

/** Return the sections of a document, up to the comment before what is for contributors. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: { heading: Block; blocks: Block[] }[] = [];
  for (const block of blocksOf(markdown.replace(/<!--.*/s, ""))) {
    if (block.kind === "heading") sections.push({ heading: block, blocks: [] });
    else sections.at(-1)?.blocks.push(block);
  }
  return sections.map(({ heading, blocks }, place) => ({ heading: { ...heading, anchor: anchorOf(heading, blocks, place) }, blocks }));
}

function anchorOf({ texts: [title = ""] }: Block, blocks: readonly Block[], place: number): string {
  const number = /^(\d+)\. /.exec(title)?.[1];
  const group = blocks.find(({ kind }) => kind === "rule")?.anchor.replace(/-\d+$/, "");
  return number ?? group ?? `part-${place}`;
}

function blocksOf(markdown: string): readonly Block[] {
  const blocks: { kind: Block["kind"]; level: number; lines: string[] }[] = [];
  let isOpen = false; // whether a line goes on with the block before it
  for (const line of markdown.split(/\r?\n/)) {
    const [, marks = "", content = ""] = /^(#+ |- |\d+\. |\| ?)?(.*)$/.exec(line) ?? [];
    const isRule = /^\|[-|: ]+\|$/.test(line);
    if (marks.startsWith("#")) blocks.push({ kind: "heading", level: marks.length - 1, lines: [content] });
    else if (isRule) {
      const head = blocks.at(-1);
      if (head) head.kind = "columns";
    } else if (marks.startsWith("|")) blocks.push({ kind: "row", level: 0, lines: content.replace(/ *\|$/, "").split(/ *\| */) });
    else if (marks.startsWith("-")) blocks.push({ kind: new RegExp(`^${RULE.source} `).test(content) ? "rule" : "point", level: 0, lines: [content] });
    else if (marks) blocks.push({ kind: "step", level: 0, lines: [line] });
    else if (content && isOpen) blocks.at(-1)?.lines.push(content.trim());
    else if (content) blocks.push({ kind: "paragraph", level: 0, lines: [content] });
    isOpen = content !== "" && !marks.startsWith("#") && !marks.startsWith("|");
  }
  return blocks.map(({ kind, level, lines }) => {
    const texts = kind === "row" || kind === "columns" ? lines : [lines.join(" ")];
    if (kind !== "rule") return { kind, level, anchor: "", texts };
    const anchor = RULE.exec(texts[0] ?? "")?.[0] ?? "";
    return { kind, level, anchor, texts: [(texts[0] ?? "").slice(anchor.length + 1)] };
  });
}

/** Where a figure of the rules comes from; and notes of the same in the text, as the terminal client leaves them out (vinci_cli/text/manual.py). */
const SOURCES: ReadonlySet<string> = new Set(["rules", "review", "house"]);
const NOTES = / \((?:house|maison|huisregel|Hausregel)\)|, (?:house|maison|huisregel|Hausregel)(?=\))| \((?:WEB|DE (?:and|et|en|und) WEB)(?=[^()\p{Letter}])[^()]*\.\)/gu;

/** Section with which the part begins that is about editions and sources, which no player needs. */
const EDITIONS = "12";

/** Return the rules for players, without notes on sources, and the rest. */
export function parted(sections: readonly Section[]): readonly [rules: readonly Section[], rest: readonly Section[]] {
  const first = sections.findIndex(({ heading }) => heading.anchor === EDITIONS);
  const rules = sections.slice(0, first).map(({ heading, blocks }): Section => {
    const rows = blocks.filter(({ kind }) => kind === "row");
    const isSource = (column: number): boolean => rows.length > 0 && rows.every(({ texts }) => SOURCES.has(texts[column] ?? ""));
    const isRow = ({ kind }: Block): boolean => kind === "row" || kind === "columns";
    const cleared = (block: Block): Block => ({
      ...block,
      texts: block.texts.filter((_, column) => !isRow(block) || !isSource(column)).map((text) => text.replace(NOTES, "")),
    });
    return { heading: cleared(heading), blocks: blocks.map(cleared) };
  });
  return [rules, sections.slice(first)];
}

/** Return the pieces of a text; of a link to another document only its name is left, one to a section has its number. */
export function piecesOf(text: string): readonly Piece[] {
  return text
    .split(PIECE)
    .filter((part) => part !== "")
    .map((part): Piece => {
      if (part.startsWith("`")) return { kind: "code", text: part.slice(1, -1) };
      if (part.startsWith("**")) return { kind: "bold", text: part.slice(2, -2) };
      if (/^\*[^*]+\*$/.test(part)) return { kind: "italic", text: part.slice(1, -1) };
      if (part.startsWith("[")) {
        const text = part.slice(1, part.indexOf("]"));
        const anchor = /\(#(\d+)-/.exec(part)?.[1];
        return anchor ? { kind: "link", text, anchor } : { kind: "text", text };
      }
      return RULE.test(part) && PIECE.test(part) ? { kind: "link", text: part, anchor: part } : { kind: "text", text: part };
    });
}

/** Return a text as it is searched, letter by letter: small, without accents. */
export function plain(text: string): string {
  return Array.from(text, (letter) => (letter.normalize("NFD")[0] ?? letter).toLowerCase().slice(0, letter.length)).join("");
}

/** Return the words that are sought. */
export function wordsOf(sought: string): readonly string[] {
  return plain(sought).split(/\s+/).filter(Boolean);
}

/** Rank of a section that is found by neither a name nor its heading. */
const UNNAMED = 1000;

/** Return how well a text has all words: 0 as whole words or their plurals, 1 as beginnings of words, 2 within words, Infinity without one. */
function fit(text: string, words: readonly string[]): number {
  const best = (word: string): number => {
    const parts = text.split(word);
    return Math.min(...parts.slice(1).map((after, at) => (/\p{L}$/u.test(parts[at] ?? "") ? 2 : /^(e?[sn])?(?!\p{L})/u.test(after) ? 0 : 1)));
  };
  return Math.max(...words.map(best));
}

/**
 * Return the sections that have all words, each with the blocks that do, rows below their columns; all of a section whose heading does.
 * First come those that fit best, among them those with a row of that name, such as a trait, which is before other rows, then those with
 * the shortest heading that has the words.
 */
export function found(sections: readonly Section[], sought: string): readonly Section[] {
  const words = wordsOf(sought);
  if (words.length === 0) return sections;
  const has = (text: string): boolean => fit(text, words) < Infinity;
  const isNamed = ({ kind, texts: [name = ""] }: Block): boolean => kind === "row" && !name.startsWith("`") && has(plain(name));
  const isOther = (block: Block): boolean => block.kind === "row" && !isNamed(block);
  const fits = (block: Block): number => fit(searched(block), words);
  return sections
    .map(({ heading, blocks }) => {
      const isWhole = has(searched(heading));
      const fitting = isWhole ? blocks : blocks.filter((block) => block.kind !== "columns" && has(searched(block)));
      const hasRows = fitting.some(({ kind }) => kind === "row");
      const shown = blocks.filter((block) => fitting.includes(block) || (hasRows && block.kind === "columns"));
      const order = (block: Block): number => (hasRows || isWhole ? Number(isOther(block)) : fits(block));
      return {
        section: { heading, blocks: shown.sort((one, other) => order(one) - order(other)) },
        fit: Math.min(fits(heading), ...fitting.map(fits)),
        rank: fitting.some(isNamed) ? 0 : isWhole ? searched(heading).length : UNNAMED,
      };
    })
    .filter(({ section }) => section.blocks.length > 0)
    .sort((one, other) => one.fit - other.fit || one.rank - other.rank)
    .map(({ section }) => section);
}

/** Return a block as it is searched. */
function searched({ anchor, texts }: Block): string {
  return plain([anchor, ...texts.map((text) => piecesOf(text).map((piece) => piece.text).join(""))].join(" "));
}

/**
 * Return what is sought with each word that the sections do not have replaced by a synonym, or by the word of theirs that is nearest;
 * without the shortest words if no section has all of them, as of a question.
 */
export function instead(sections: readonly Section[], sought: string, synonyms: Readonly<Record<string, string>>): string {
  const text = sections.flatMap(({ heading, blocks }) => [heading, ...blocks].map(searched)).join(" ");
  const known = [...new Set(text.match(/\p{Letter}{4,}/gu))].sort((one, other) => one.length - other.length);
  const words = wordsOf(sought).map((word) => (text.includes(word) ? word : (synonymOf(word, synonyms) ?? nearest(word, known) ?? word)));
  const shortest = [...words].sort((one, other) => one.length - other.length);
  for (let left = 0; left < words.length; left++) {
    const rest = words.filter((word) => !shortest.slice(0, left).includes(word)).join(" ");
    if (found(sections, rest).length > 0) return rest;
  }
  return words.join(" ");
}

/** Return the synonym of a word, which can have another end. */
function synonymOf(word: string, synonyms: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(synonyms).find(([key]) => word.startsWith(plain(key)) || (word.length >= SHORTEST && plain(key).startsWith(word)))?.[1];
}

/** Fewest letters of a stem, and of a word that is taken for a mistyped one. */
const SHORTEST = 4;

/** Return the shortest word with the longest stem that both have, or the one that is typed almost so. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const stems = known.map((one) => commonStart(word, one));
  const longest = Math.max(...stems);
  const stem = known[stems.indexOf(longest)];
  if (longest >= SHORTEST && (longest === stem?.length || longest > word.length / 2)) return stem;
  const mistakes = known.map((one) => distance(word, one));
  const fewest = Math.min(...mistakes);
  return fewest <= (word.length - 1) / 3 ? known[mistakes.indexOf(fewest)] : undefined;
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Return the number of letters to add, leave out or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let line = 0; line < one.length; line++) {
    const next = [line + 1];
    for (let at = 0; at < other.length; at++) next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + Number(one[line] !== other[at])));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Return a text in turns: what is not sought, what is, and so on. */
export function split(text: string, words: readonly string[]): readonly string[] {
  const searched = plain(text);
  const marked = Array.from({ length: text.length }, () => false);
  for (const word of words) {
    for (let at = searched.indexOf(word); at >= 0; at = searched.indexOf(word, at + 1)) marked.fill(true, at, at + word.length);
  }
  const parts = [""];
  for (let at = 0; at < text.length; at++) {
    if (marked[at] !== (parts.length % 2 === 0)) parts.push("");
    parts.push(`${parts.pop() ?? ""}${text[at] ?? ""}`);
  }
  return parts;
}
