/** The rules with a search; loaded when they are opened. */

import "./rules.css";

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { goAnew, onPlainClick } from "../address";
import { type Language, language, plural, t } from "../i18n/i18n";
import { type Block, found, instead, parted, type Piece, piecesOf, type Section, sectionsOf, split, wordsOf } from "./document";
import { TEXTS } from "./texts";

type Loader = () => Promise<{ default: string }>;

const DOCUMENTS: Record<Language, Loader> = {
  en: () => import("../../../../docs/rules.md?raw"),
  fr: () => import("../../../../docs/rules.fr.md?raw"),
  nl: () => import("../../../../docs/rules.nl.md?raw"),
  de: () => import("../../../../docs/rules.de.md?raw"),
};

/** Commands of the terminal client that the text names, and where the page has the same. */
const PLACES: Readonly<Record<string, string>> = { "vinci tutorial": "/tutorial" };

export interface ReaderProps {
  /** Where to begin: an id of a rule, a group of rules or the number of a section; a new object leads there again. */
  readonly target: { readonly anchor: string };
  /** Lead to a place of the rules. */
  readonly follow: (anchor: string) => void;
}

/** Show the rules in the language of the page. */
export function Reader({ target, follow }: ReaderProps) {
  const texts = TEXTS[language()];
  const [sections, setSections] = useState<readonly Section[]>();
  const [sought, setSought] = useState("");
  const [problem, setProblem] = useState("");
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    DOCUMENTS[language()]().then(
      ({ default: text }) => setSections(sectionsOf(text)),
      () => setProblem(t("This cannot be loaded. Try again when the server can be reached.")),
    );
  }, [texts]);
  useEffect(() => setSought(""), [target]);
  useEffect(() => {
    const { anchor } = target;
    if (!sections || !anchor || sought) return;
    const element = place.current?.querySelector<HTMLElement>(`#${idOf(CSS.escape(anchor))}, #${idOf(CSS.escape(`${anchor}-1`))}`);
    const folded = element?.closest("details");
    if (folded) folded.open = true;
    element?.scrollIntoView();
    element?.focus({ preventScroll: true });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a search that ends stays where it is
  }, [sections, target]);
  useEffect(() => {
    if (sought.trim()) place.current?.querySelector("section [id]")?.scrollIntoView();
  }, [sought]);
  const near = useMemo(() => instead(sections ?? [], sought, texts.synonyms), [sections, sought, texts]);
  const parts = useMemo(() => parted(sections ?? []), [sections]);
  const [rules, rest] = useMemo(() => parts.map((part) => found(part, near)), [parts, near]);
  const words = wordsOf(near);
  const hits = [...(rules ?? []), ...(rest ?? [])].reduce((sum, { blocks }) => sum + blocks.filter(({ kind }) => kind !== "columns").length, 0);
  const said = hits === 0 ? texts.nothing : plural("{n} passage", "{n} passages", hits);
  const isOther = hits > 0 && near !== wordsOf(sought).join(" ");
  const views = (part: readonly Section[] = []): ComponentChildren =>
    part.map((section) => <SectionView key={section.heading.anchor} section={section} words={words} current={target.anchor} follow={follow} />);
  if (problem) return <p role="alert">{problem}</p>;
  if (!sections) return <p role="status">{t("One moment …")}</p>;
  return (
    <div class="rules-text" ref={place}>
      <div class="rules-search" role="search">
        <label>
          <span class="hidden">{texts.search}</span>
          <input type="search" placeholder={texts.search} value={sought} onInput={(event) => setSought(event.currentTarget.value)} />
        </label>
        <p role="status">
          {words.length > 0 && said}
          {isOther && ` · ${texts.instead.replace("{words}", sought.trim()).replace("{near}", near)}`}
        </p>
      </div>
      {(words.length === 0 || hits === 0) && (
        <details class="rules-contents" open={words.length > 0}>
          <summary>{t("Contents")}</summary>
          <ol>
            {parts.flat().slice(1).map(({ heading }) => (
              <li key={heading.anchor} class={`level${heading.level}`}>
                <To anchor={heading.anchor} follow={follow}>
                  {heading.texts[0]}
                </To>
              </li>
            ))}
          </ol>
        </details>
      )}
      {views(rules)}
      {rest && rest.length > 0 && (
        <details class="rules-rest" open={words.length > 0 && rules?.length === 0}>
          <summary>{texts.rest}</summary>
          {views(rest)}
        </details>
      )}
    </div>
  );
}

function idOf(anchor: string): string {
  return `rules-${anchor}`;
}

interface Shown {
  readonly words: readonly string[];
  readonly follow: (anchor: string) => void;
}

function SectionView({ section: { heading, blocks }, current, ...shown }: Shown & { section: Section; current: string }) {
  const Heading = `h${Math.min(heading.level + 1, 6)}` as "h2";
  const rows = blocks.filter(({ kind }) => kind === "row" || kind === "columns");
  return (
    <section>
      <Heading id={idOf(heading.anchor)} tabIndex={-1}>
        <Text text={heading.texts[0] ?? ""} {...shown} />
      </Heading>
      {blocks.map((block, at) => {
        const [text = ""] = block.texts;
        if (block.kind === "row" || block.kind === "columns") return block === rows[0] && <Table key={at} rows={rows} {...shown} />;
        if (block.kind !== "rule") {
          return (
            <p key={at} class={block.kind}>
              <Text text={text} {...shown} />
            </p>
          );
        }
        return (
          <p key={at} class={`rule${block.anchor === current ? " current" : ""}`} id={idOf(block.anchor)} tabIndex={-1}>
            <Text text={text} {...shown} />{" "}
            <small>
              <Marked text={block.anchor} words={shown.words} />
            </small>
          </p>
        );
      })}
    </section>
  );
}

function Table({ rows, ...shown }: Shown & { rows: readonly Block[] }) {
  const cells = (row: Block): ComponentChildren =>
    row.texts.map((text, at) => {
      const Cell = row.kind === "columns" ? "th" : "td";
      return (
        <Cell key={at}>
          <Text text={text} {...shown} />
        </Cell>
      );
    });
  return (
    <div class="rules-table" role="group" tabIndex={0} aria-label={t("Table")}>
      <table>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Text({ text, words, follow }: Shown & { text: string }) {
  const shown = ({ kind, text, anchor }: Piece): ComponentChildren => {
    const marked = <Marked text={text} words={words} />;
    if (anchor) {
      return (
        <To anchor={anchor} follow={follow}>
          {marked}
        </To>
      );
    }
    const address = PLACES[text];
    if (kind === "code") {
      return address ? (
        <a href={address} onClick={(event) => onPlainClick(event, () => goAnew(address))}>
          {t("The tutorial")}
        </a>
      ) : (
        <code>{marked}</code>
      );
    }
    if (kind === "bold") return <strong>{marked}</strong>;
    return kind === "italic" ? <em>{marked}</em> : marked;
  };
  return piecesOf(text).map(shown);
}

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return split(text, words).map((part, at) => (at % 2 ? <mark key={at}>{part}</mark> : part));
}

function To({ anchor, follow, children }: { anchor: string; follow: (anchor: string) => void; children: ComponentChildren }) {
  return (
    <a href={`/rules#${anchor}`} onClick={(event) => onPlainClick(event, () => follow(anchor))}>
      {children}
    </a>
  );
}
