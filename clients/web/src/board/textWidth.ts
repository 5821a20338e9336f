/** Estimates the width of drawn text without its font, from the widest of the common fonts, as for the SVG board. */

const BY_WIDTH: readonly (readonly [number, string])[] = [
  [0.3, "'"],
  [0.35, " ,./:;\\ijl|ł’·"],
  [0.4, "()-I[]f"],
  [0.45, "!Jt"],
  [0.5, '"*_`r–°'],
  [0.55, "?sz“”„"],
  [0.6, "cvxy"],
  [0.65, "$0123456789abdeghknopqu{}ø«»"],
  [0.7, "FLPSTYZßŁ"],
  [0.75, "ABEKVX"],
  [0.8, "CGR"],
  [0.85, "#+<=>DOQU^~Ø×"],
  [0.9, "&HNw"],
  [1, "%@mæ—…"],
  [1.05, "MWœÆ"],
];
const WIDTHS = new Map(BY_WIDTH.flatMap(([width, letters]) => Array.from(letters, (letter) => [letter, width] as const)));
const WIDEST = 1.15;

/** Return the width of a text in a font of this size; `spacing` is added after every letter, in the same unit. */
export function textWidth(text: string, size: number, spacing = 0): number {
  const plain = Array.from(text.normalize("NFD").replace(/\p{M}/gu, ""));
  return plain.reduce((sum, letter) => sum + (WIDTHS.get(letter) ?? WIDEST) * size + spacing, 0);
}
