import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { found, instead, parted, piecesOf, sectionsOf, split, wordsOf } from "../src/rules/document";
import { TEXTS } from "../src/rules/texts";

const NAMES = { en: "rules.md", fr: "rules.fr.md", nl: "rules.nl.md", de: "rules.de.md" };
const whole = (name: string): string => readFileSync(`../../docs/${name}`, "utf8");
const read = (name: string): string => whole(name).replace(/<!--.*/s, "");
const sections = sectionsOf(read("rules.md"));

describe("the rules as the page reads them", () => {
  test.each(Object.entries(NAMES))("%s: all rules, and the same places in the same order as in English", (_language, name) => {
    const markdown = whole(name);
    const parts = sectionsOf(markdown);
    const rules = parts.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "rule").map(({ anchor }) => anchor));
    expect(rules).toEqual([...markdown.matchAll(/^- (R-[A-Z]+-\d+) /gm)].map((match) => match[1]));
    expect(rules.length).toBeGreaterThan(60);
    expect(parts.map(({ heading }) => heading.anchor)).toEqual(sections.map(({ heading }) => heading.anchor));
    const kinds = ({ blocks }: (typeof sections)[number]): readonly string[] => blocks.map(({ kind }) => kind);
    expect(parts.slice(1).map(kinds)).toEqual(sections.slice(1).map(kinds)); // a translation first says that it is one
  });

  test.each(Object.entries(NAMES))("%s: no word is lost", (_language, name) => {
    const markdown = read(name);
    const words = (text: string): readonly string[] => text.match(/\p{Letter}+/gu) ?? [];
    const shown = sectionsOf(whole(name)).flatMap(({ heading, blocks }) =>
      [heading, ...blocks].map(({ kind, anchor, texts }) => [kind === "rule" ? anchor : "", ...texts.map((text) => piecesOf(text).map((piece) => piece.text).join(""))].join(" ")),
    );
    const places = shown.flatMap(words).map((word, at, all) => `${all[at - 1] ?? ""} ${word}`); // short enough to be read
    expect(places).toEqual(words(markdown.replace(/\]\((?:[a-z]+\.md|#[^)]+)\)/g, "")).map((word, at, all) => `${all[at - 1] ?? ""} ${word}`));
  });

  test("places: sections by their numbers, groups by their rules", () => {
    const anchors = sections.map(({ heading }) => heading.anchor);
    expect(anchors).toEqual(expect.arrayContaining(["1", "6", "12", "R-CONQ", "R-ENTRY"]));
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test("pieces of a text", () => {
    expect(piecesOf("**Aim.** Two *or* `more` (R-CONQ-3), see [chance.md](chance.md). [Option](#12-editions): none")).toEqual([
      { kind: "bold", text: "Aim." },
      { kind: "text", text: " Two " },
      { kind: "italic", text: "or" },
      { kind: "text", text: " " },
      { kind: "code", text: "more" },
      { kind: "text", text: " (" },
      { kind: "link", text: "R-CONQ-3", anchor: "R-CONQ-3" },
      { kind: "text", text: "), see " },
      { kind: "text", text: "chance.md" },
      { kind: "text", text: ". " },
      { kind: "link", text: "Option", anchor: "12" },
      { kind: "text", text: ": none" },
    ]);
  });
});

describe("the rules for players", () => {
  test.each(Object.entries(NAMES))("%s: no notes on sources, and what is about editions apart", (_language, name) => {
    const whole = sectionsOf(read(name));
    const [rules, rest] = parted(whole);
    expect([...rules, ...rest].map(({ heading }) => heading.anchor)).toEqual(sections.map(({ heading }) => heading.anchor));
    expect(rest[0]?.heading.anchor).toBe("12");
    expect(rest).toEqual(whole.slice(rules.length));
    const texts = rules.flatMap(({ heading, blocks }) => [heading, ...blocks].flatMap(({ texts }) => texts)).join("\n");
    expect(texts).not.toMatch(/\((house|maison|huisregel|Hausregel)\)|^(house|review|rules)$/m);
    expect(texts).toContain("(FR, WEB)"); // what editions differ in is kept
    const traits = rules.find(({ heading }) => heading.anchor === "6")?.blocks.filter(({ kind }) => kind === "row");
    expect(traits?.length).toBe(22);
    expect(new Set(traits?.map(({ texts }) => texts.length))).toEqual(new Set([3]));
  });
});

describe("the search", () => {
  const anchors = (sought: string): readonly string[] => found(sections, sought).flatMap(({ blocks }) => blocks.map(({ anchor }) => anchor));

  test("finds rules by all words, by id, and rows of tables", () => {
    expect(anchors("mountain origin fort")).toContain("R-CONQ-3");
    expect(anchors("r-conq-3 below")).toEqual(["R-CONQ-3"]);
    const [traits] = found(sections, "medicine mobilisation").filter(({ heading }) => heading.anchor === "6");
    expect(traits?.blocks.map(({ texts }) => texts[0])).toEqual(["trait", "Medicine"]);
    expect(found(sections, "trait strength source effect").filter(({ heading }) => heading.anchor === "6")).toEqual([]); // columns alone
    expect(anchors("xyzzy")).toEqual([]);
    expect(found(sections, "  ")).toBe(sections);
    const [short] = found(sections, "older declined empire leaves");
    expect(short?.blocks.map(({ texts: [text = ""] }) => text.slice(0, 19))).toEqual(["6. Decline instead "]); // as in the full text
  });

  test("a heading with the words brings all of its section", () => {
    const [section] = found(sections, "own decline in contact");
    expect(section?.blocks.map(({ anchor }) => anchor)).toEqual(["R-CONTACT-1", "R-CONTACT-2", "R-CONTACT-3"]);
  });

  test.each([
    ["en", "barbarian", "Barbarians", "decline", "4"],
    ["fr", "barbare", "Barbares", "déclin", "4"],
    ["nl", "barbaren", "Barbaren", "verval", "4"],
    ["de", "barbaren", "Barbaren", "niedergang", "4"],
  ] as const)("%s: the row of a trait comes first, and the section that is named so", (language, trait, name, heading, anchor) => {
    const parts = sectionsOf(read(NAMES[language]));
    expect(found(parts, trait)[0]?.blocks.filter(({ kind }) => kind === "row").map(({ texts }) => texts[0])).toEqual([name]);
    expect(found(sections, "fort")[0]?.blocks.filter(({ kind }) => kind === "row").map(({ texts }) => texts[0])).toEqual(["Forts", "Slavery"]);
    expect(found(parts, heading)[0]?.heading.anchor).toBe(anchor);
  });

  test.each([
    ["en", "fortress", "fort"],
    ["en", "castles", "fort"],
    ["en", "declining", "decline"],
    ["en", "montain", "mountain"],
    ["en", "soldiers of medicine", "pawn of medicine"],
    ["en", "xyzzy", "xyzzy"],
    ["en", "how do I win", "win"],
    ["fr", "forteresse", "fort"],
    ["fr", "château", "fort"],
    ["nl", "vesting", "fort"],
    ["nl", "kasteel", "fort"],
    ["de", "Burg", "festung"],
    ["de", "Schloss", "festung"],
  ] as const)("%s: instead of %s, which is not there, %s is sought", (language, sought, near) => {
    expect(instead(sectionsOf(read(NAMES[language])), sought, TEXTS[language].synonyms)).toBe(near);
  });

  test.each(Object.keys(NAMES) as (keyof typeof NAMES)[])("%s: each synonym leads to something", (language) => {
    const parts = sectionsOf(read(NAMES[language]));
    for (const near of Object.values(TEXTS[language].synonyms)) expect(found(parts, near), near).not.toEqual([]);
  });

  test.each([
    ["en", "star", "R-SETUP-3"],
    ["fr", "étoile", "R-SETUP-3"],
    ["nl", "ster", "R-SETUP-3"],
    ["de", "stern", "R-SETUP-3"],
  ] as const)("%s: whole words come before words that begin so, such as %s", (language, word, rule) => {
    expect(found(sectionsOf(read(NAMES[language])), word)[0]?.blocks[0]?.anchor).toBe(rule);
  });

  test("accents and capitals do not matter, and what is marked keeps them", () => {
    const french = found(sectionsOf(read("rules.fr.md")), "DECLIN");
    expect(french.some(({ blocks }) => blocks.length > 0)).toBe(true);
    expect(split("Le Déclin, déclin", wordsOf("declin"))).toEqual(["Le ", "Déclin", ", ", "déclin"]);
    expect(split("straße", wordsOf("STRASSE"))).toEqual(["straße"]);
    expect(split("no", wordsOf(""))).toEqual(["no"]);
  });
});
