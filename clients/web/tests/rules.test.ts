import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { found, piecesOf, sectionsOf, split, wordsOf } from "../src/rules/document";

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
    expect(places).toEqual(words(markdown.replace(/\]\([a-z]+\.md\)/g, "")).map((word, at, all) => `${all[at - 1] ?? ""} ${word}`));
  });

  test("places: sections by their numbers, groups by their rules", () => {
    const anchors = sections.map(({ heading }) => heading.anchor);
    expect(anchors).toEqual(expect.arrayContaining(["1", "6", "12", "R-CONQ", "R-ENTRY"]));
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test("pieces of a text", () => {
    expect(piecesOf("**Aim.** Two *or* `more` (R-CONQ-3), see [chance.md](chance.md)")).toEqual([
      { kind: "bold", text: "Aim." },
      { kind: "text", text: " Two " },
      { kind: "italic", text: "or" },
      { kind: "text", text: " " },
      { kind: "code", text: "more" },
      { kind: "text", text: " (" },
      { kind: "rule", text: "R-CONQ-3" },
      { kind: "text", text: "), see " },
      { kind: "text", text: "chance.md" },
    ]);
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

  test("accents and capitals do not matter, and what is marked keeps them", () => {
    const french = found(sectionsOf(read("rules.fr.md")), "DECLIN");
    expect(french.some(({ blocks }) => blocks.length > 0)).toBe(true);
    expect(split("Le Déclin, déclin", wordsOf("declin"))).toEqual(["Le ", "Déclin", ", ", "déclin"]);
    expect(split("straße", wordsOf("STRASSE"))).toEqual(["straße"]);
    expect(split("no", wordsOf(""))).toEqual(["no"]);
  });
});
