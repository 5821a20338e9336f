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
  readonly kind: "text" | "bold" | "italic" | "code" | "rule";
  readonly text: string;
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

/** Return the pieces of a text; of a link to another document only its name is left. */
export function piecesOf(text: string): readonly Piece[] {
  return text
    .split(PIECE)
    .filter((part) => part !== "")
    .map((part): Piece => {
      if (part.startsWith("`")) return { kind: "code", text: part.slice(1, -1) };
      if (part.startsWith("**")) return { kind: "bold", text: part.slice(2, -2) };
      if (/^\*[^*]+\*$/.test(part)) return { kind: "italic", text: part.slice(1, -1) };
      if (part.startsWith("[")) return { kind: "text", text: part.slice(1, part.indexOf("]")) };
      return { kind: RULE.test(part) && PIECE.test(part) ? "rule" : "text", text: part };
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

/** Return the sections that have all words, each with the blocks that do, rows below their columns; all of a section whose heading does. */
export function found(sections: readonly Section[], sought: string): readonly Section[] {
  const words = wordsOf(sought);
  if (words.length === 0) return sections;
  const has = ({ anchor, texts }: Block): boolean => {
    const text = plain([anchor, ...texts.map((one) => piecesOf(one).map((piece) => piece.text).join(""))].join(" "));
    return words.every((word) => text.includes(word));
  };
  return sections
    .map(({ heading, blocks }) => {
      const fitting = has(heading) ? blocks : blocks.filter((block) => block.kind !== "columns" && has(block));
      const hasRows = fitting.some(({ kind }) => kind === "row");
      return { heading, blocks: blocks.filter((block) => fitting.includes(block) || (hasRows && block.kind === "columns")) };
    })
    .filter(({ blocks }) => blocks.length > 0);
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
