import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The legend, curves, waiting room, rules, tutorial and hints, the form of a new match, leagues and players, records, what follows a match, reviews, notes, and the end of a game with the check of its draws. */
const LATER = /\/docs\/rules|\/src\/(board\/Legend|panels\/(Curve|Lines)|rules\/(Reader|page|dialog)|tutorial\/(Lesson|lessons|page|useFreeCorner)|play\/(Hint|Absent|Over)\.|replay\/(review\/|notes\/|page\.|Replay|Again|load)|league\/|players\/|draws\/check|lobby\/(Create|WaitingRoom))/;
/** Styles of what is loaded later; those of leagues are named after their bars, which players have, too, those of tutorial and hints after the place of their card. */
const LATER_STYLES = /^(Bar|Legend|Lines|Replay|Review|Reader|tutorial|useFreeCorner)/;
/** What every page needs: one file of it is smaller, compressed, than several. */
const BASE = /node_modules|\/src\/(gen|connection|frame|tips|address|notices|settings|pure|later|routes|i18n\/sentences|lobby\/(Access|Invitation|seating|server|words)|match\/(selectors|sentences|words)|tutorial\/hints|panels\/SeatChip)/;
const KEYS = "virtual:texts-keys";
const PAGE = "../../server/vinci_server/web/page";

const SENTENCES = new URL("src/i18n/sentences.json", import.meta.url);

const read = (place: URL): object => JSON.parse(readFileSync(place, "utf8")) as object;
const textsOf = (language: string): Record<string, unknown> => read(new URL(`src/i18n/${language}.json`, import.meta.url)) as Record<string, unknown>;
/** Return the texts of the catalogue of sentences in order; the page has this function, too. */
const saidIn = (table: object): string[] =>
  (Object.values(table) as { text: string; ahead?: string }[][]).flat().flatMap(({ text, ahead }) => (ahead ? [text, ahead] : text));

/**
 * Builds the texts of languages without their English keys, which are the same in all of them and are built once, those of
 * sentences not even that, as the catalogue has them: this saves 15 kB compressed.
 */
const TEXTS = {
  name: "texts",
  apply: "build" as const,
  enforce: "pre" as const,
  resolveId: (source: string, importer?: string) => {
    const language = importer?.endsWith("/i18n/i18n.ts") && /^\.\/(fr|nl|de)\.json$/.exec(source)?.[1];
    return language ? `\0texts-${language}` : source === KEYS ? KEYS : undefined;
  },
  load: (id: string) => {
    // the page does not show what is for contributors (rules/document.ts)
    if (/\/docs\/rules[.\w]*\.md\?raw$/.test(id)) return `export default ${JSON.stringify(readFileSync(id.slice(0, -4), "utf8").replace(/<!--.*/s, ""))}`;
    const language = id === KEYS ? "fr" : /^\0texts-(\w+)$/.exec(id)?.[1];
    if (!language) return undefined;
    const texts = textsOf(language);
    const said = saidIn(read(SENTENCES));
    const others = Object.keys(texts).filter((key) => !said.includes(key));
    if (id === KEYS) return `import table from ${JSON.stringify(fileURLToPath(SENTENCES))}; export default [...(${String(saidIn)})(table), ...${JSON.stringify(others)}]`;
    if (Object.keys(texts).join("\n") !== Object.keys(textsOf("fr")).join("\n")) throw new Error(`${language}.json has other texts than fr.json; run make web`);
    const values = JSON.stringify([...said, ...others].map((key) => texts[key]));
    return `import keys from "${KEYS}"; const values = ${values}; export default Object.fromEntries(keys.map((key, at) => [key, values[at]]))`;
  },
};

/** Lets a browser load the page of a match while it reads what every page needs: most links lead to a match. */
const PRELOAD: Plugin = {
  name: "preload",
  transformIndexHtml: {
    order: "post",
    handler: (html, { bundle = {} }) => {
      const page = Object.values(bundle).find((chunk) => chunk.type === "chunk" && chunk.facadeModuleId?.endsWith("/src/match/page.tsx"));
      if (page?.type !== "chunk") return [];
      const files = [page.fileName, ...page.imports].filter((file) => !html.includes(file));
      return files.map((file) => ({ tag: "link", attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` }, injectTo: "head" as const }));
    },
  },
};

export default defineConfig({
  plugins: [TEXTS, PRELOAD],
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy of the server allows no data in addresses
    modulePreload: { polyfill: false }, // it would be an inline script
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: "base", test: BASE }] },
        // what is loaded when it is asked for does not count in the size of the page (tools/web_page.py)
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => LATER.test(id)) ? "assets/later-[name]-[hash].js" : "assets/[name]-[hash].js",
        assetFileNames: ({ names }) => `assets/${names.some((name) => LATER_STYLES.test(name)) ? "later-" : ""}[name]-[hash][extname]`,
      },
    },
  },
  server: {
    fs: { allow: ["../.."] }, // the rules are those of docs
    // `vinci serve --web 8080` and `npm run dev` beside it
    proxy: { "/vinci.v1": process.env["VINCI_WEB"] ?? "http://127.0.0.1:8080" },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
