/** An ESLint rule: no two files import each other in a circle. Those of plugins overlook circles that only types close. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import typescript from "typescript";

const known = new Map();

/** Return the sources that a source imports, for types too, and those that it loads later. */
function imported(file) {
  const found = known.get(file);
  if (found) return found;
  const { importedFiles } = typescript.preProcessFile(readFileSync(file, "utf8"), true, true);
  const files = importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .flatMap(({ fileName }) => ["ts", "tsx"].map((ending) => `${resolve(dirname(file), fileName)}.${ending}`))
    .filter(existsSync);
  known.set(file, files);
  return files;
}

/** Return the shortest way along imports from a source back to itself; undefined if there is none. */
function circle(file) {
  const ways = imported(file).map((next) => [next]);
  const seen = new Set();
  for (const way of ways) {
    const last = way.at(-1);
    if (last === file) return way;
    if (!seen.has(last)) ways.push(...imported(last).map((next) => [...way, next]));
    seen.add(last);
  }
  return undefined;
}

export default {
  meta: { type: "problem", schema: [], messages: { circle: "This file imports itself, by way of {{way}}." } },
  create: (context) => ({
    Program(node) {
      const way = circle(context.filename);
      if (way) context.report({ node, messageId: "circle", data: { way: way.map((file) => relative(context.cwd, file)).join(", ") } });
    },
  }),
};
