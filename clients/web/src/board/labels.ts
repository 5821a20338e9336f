/** Labels of the board, at the places that come with its map; a name without one is written in the middle of its shape. */

import { create } from "@bufbuild/protobuf";

import { type BoardMap, type MapLabel, MapLabelSchema, type MapLabels, type Shape } from "../gen/vinci/v1/game_pb";

/** Letter spacing of names of seas, relative to the font size. */
export const SEA_SPACING = 0.14;
/** Distance of the base line from the middle of a line, relative to the font size. */
export const BASE = 0.34;
/** Font size of marks. */
export const MARKS = 31;
/** Height of a mark and width of a round one, relative to the font size. */
export const MARK = 1.15;
/** Width of a garrison without the digits of its number. */
export const TOKEN = 1.85;
const DIGIT = 0.72;
/** Gap between marks, relative to the font size. */
export const GAP = 0.2;
/** Font size of names on a map that has no places for them. */
const PLAIN_SIZE = 25;

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
