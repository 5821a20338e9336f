/** Labels of the board, at the places that come with its map; a name without one is written in the middle of its shape. */

import { create } from "@bufbuild/protobuf";

import { type BoardMap, type MapLabel, MapLabelSchema, type MapLabels, type Province, type Shape } from "../gen/vinci/v1/game_pb";
import drawing from "./drawing.json";

export const { BASE, DIGIT, GAP, HATCH, MARK, MARKS, PLAIN_SIZE, SEA_SPACING, TOKEN } = drawing.sizes;

/** Height of a mark on the board, and the space between two in a row. */
export const SIDE = MARKS * MARK;
export const BETWEEN = MARKS * GAP;

/** The label of a province, and where its marks are drawn while the map is too small for names. */
export interface Label extends MapLabel {
  readonly alone: { readonly x: number; readonly y: number };
}

export interface Labels {
  readonly provinces: ReadonlyMap<string, Label>;
  readonly seas: readonly MapLabel[];
  readonly places: MapLabels | undefined;
}

/** Return the width of a garrison with this many pawns. */
export function tokenWidth(pawns: number, size: number): number {
  return size * (TOKEN + DIGIT * String(pawns).length);
}

/** Who has pawns in a province. */
export interface Garrison {
  /** 0 for neutral pawns. */
  readonly seat: number;
  readonly isDeclined: boolean;
  readonly pawns: number;
  readonly fort: boolean;
}

/** A mark in the row of a province; port and mine are left out where there is no room for names, unless they are wanted. */
export interface RowMark {
  readonly kind: "token" | "fort" | "port" | "mine";
  readonly width: number;
  readonly isAlways: boolean;
}

/** Least size of a row beside a name at which its digits can be read. */
const LEGIBLE = 0.75;

/** Return the marks of a province from left to right; `wanted` has what the own traits score; other signs are left out where they would make the row of a label too small. */
export function rowOf(province: Province, garrison: Garrison | undefined, wanted = "", label?: MapLabel): readonly RowMark[] {
  const row: RowMark[] = [];
  if (garrison && garrison.pawns > 0) row.push({ kind: "token", width: tokenWidth(garrison.pawns, MARKS), isAlways: true });
  if (garrison?.fort) row.push({ kind: "fort", width: SIDE, isAlways: true });
  for (const kind of ["port", "mine"] as const) if (province[kind]) row.push({ kind, width: SIDE, isAlways: wanted.includes(kind) });
  row.sort((one, other) => Number(other.isAlways) - Number(one.isAlways));
  while (label && fitOf(lengthOf(row), label) < LEGIBLE && row.at(-1)?.isAlways === false) row.pop();
  return row;
}

/** Return the length of a row, or with `isAlone` of the marks that are drawn without names, too. */
export function lengthOf(row: readonly RowMark[], isAlone = false): number {
  const shown = isAlone ? row.filter(({ isAlways }) => isAlways) : row;
  return shown.length === 0 ? 0 : shown.reduce((sum, { width }) => sum + width + BETWEEN, -BETWEEN);
}

/** Return how much smaller a row is drawn beside a name, so that it has room there. */
export function fitOf(length: number, { marksWidth }: MapLabel): number {
  return marksWidth > 0 && length > marksWidth ? marksWidth / length : 1;
}

/** Return the labels of a map in a language; `province` and `sea` give names where the map has none. */
export function labelsOf(
  map: BoardMap,
  language: string,
  province: (code: string) => string,
  sea: (code: string) => string,
): Labels {
  const places = map.labels.find((one) => one.language === language);
  const known = new Map([...(places?.provinces ?? []), ...(places?.seas ?? [])].map((label) => [label.code, label]));
  const labelOf = (shape: Shape, name: (code: string) => string): MapLabel =>
    known.get(shape.code) ?? plain(shape, name(shape.code));
  const provinces = map.provinces.map((shape): [string, Label] => {
    const label = labelOf(shape, province);
    const isPlaced = shape.markX !== 0 || shape.markY !== 0;
    const alone = isPlaced ? { x: shape.markX, y: shape.markY } : { x: shape.labelX, y: shape.labelY };
    return [shape.code, { ...label, alone }];
  });
  return { provinces: new Map(provinces), seas: map.seas.map((shape) => labelOf(shape, sea)), places };
}

/** Return a label in the middle of a shape. */
function plain({ code, labelX: x, labelY: y }: Shape, text: string): MapLabel {
  const marksY = y + Math.round((PLAIN_SIZE + MARKS) * 0.7);
  return create(MapLabelSchema, { code, lines: [{ text, x, y, size: PLAIN_SIZE }], marksX: x, marksY });
}
