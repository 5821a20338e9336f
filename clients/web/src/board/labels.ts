/**
 * Places names of provinces and seas, and beside each name of a province the row of its marks: garrison, fort, port, mine. Room
 * for a garrison is kept everywhere, so that labels stay where they are during a game.
 */

import type { BoardMap, Province, Shape } from "../gen/vinci/v1/game_pb";
import { type Box, moved } from "./geometry";
import { OccupiedArea, ShapeGrid, type Spot } from "./placement";
import { textWidth } from "./textWidth";

const SIZES = [36, 32, 28, 25, 22];
const SEA_SIZES = [44, 38, 33, 28, 24, 21, 18];
/** Letter spacing of names of seas, relative to the font size. */
export const SEA_SPACING = 0.14;
/** Limits for the part of a label outside of its shape, tried in this order. */
const TOLERATED = [0.1, 0.2, 0.35, 0.6, 1, 2, 20];
/** Cost of font size 0 instead of the largest, in the same unit. */
const SMALLNESS = 0.8;
/** Height of a line, relative to the font size. */
const ROOM = 1.2;
/** Font size of marks. */
export const MARKS = 31;
/** Height of a mark and width of a round one, relative to the font size. */
export const MARK = 1.15;
/** Width of a garrison without the digits of its number. */
export const TOKEN = 1.85;
export const DIGIT = 0.72;
/** Gap between marks, relative to the font size. */
export const GAP = 0.2;
/** Font size of marks alone on a map of the usual width, and that width. */
const ALONE = 64;
const USUAL_WIDTH = 2400;
/** Numbers of the shapes of land, which labels of seas must not cover. */
const DEAR = 128;

/** A line of text; `x` is its middle, `y` its base line. */
export interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** A point of the map. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The label of a province: its lines, and the middle of the row of its marks. */
export interface Label {
  readonly code: string;
  readonly lines: readonly Line[];
  readonly x: number;
  readonly y: number;
  /** The middle of the marks where there is no room for names. */
  readonly alone: Place;
}

export interface Labels {
  readonly provinces: ReadonlyMap<string, Label>;
  readonly seas: readonly Line[];
  /** Place and side of the compass rose, if there is room for one. */
  readonly rose: { readonly x: number; readonly y: number; readonly side: number } | undefined;
}

/** A label before it is placed, around 0, 0. */
interface Block {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly size: number;
  /** The middle of the row of marks. */
  readonly row: readonly [number, number];
}

/** Return the width of a garrison with this many pawns. */
export function tokenWidth(pawns: number, size: number): number {
  return size * (TOKEN + DIGIT * String(pawns).length);
}

/** Place all labels; `province` and `sea` give names. */
export function placeLabels(
  map: BoardMap,
  provinces: readonly Province[],
  province: (code: string) => string,
  sea: (code: string) => string,
): Labels {
  const taken = new OccupiedArea();
  for (const { points } of map.straits) taken.take(along(points));
  const land = new ShapeGrid(map.width, map.height);
  if (map.beyond) land.fill(map.beyond, 255);
  const kinds = new Map(provinces.map((one) => [one.code, one]));
  const placed = new Map<string, Label>();
  const smallest = bySize(map.provinces, land);
  const alone = placeAlone(smallest, land, (ALONE * map.width) / USUAL_WIDTH);
  for (const { shape, spot } of smallest) {
    const symbols = Number(kinds.get(shape.code)?.port ?? false) + Number(kinds.get(shape.code)?.mine ?? false);
    const block = best(land, spot, provinceBlocks(province(shape.code), symbols), taken, 256);
    const [x, y] = block?.row ?? [shape.labelX, shape.labelY];
    placed.set(shape.code, { code: shape.code, lines: block?.lines ?? [], x, y, alone: alone.get(shape.code) ?? { x, y } });
  }
  const water = new ShapeGrid(map.width, map.height);
  const seas = bySize(map.seas, water);
  for (const shape of [...(map.beyond ? [map.beyond] : []), ...map.provinces]) water.fill(shape, DEAR);
  const names: Line[] = [];
  for (const { shape, spot } of seas) names.push(...(best(water, spot, seaBlocks(sea(shape.code)), taken, DEAR)?.lines ?? []));
  return { provinces: placed, seas: names, rose: rose(map, taken) };
}

/** Place a garrison in every province. */
function placeAlone(shapes: readonly Shaped[], land: ShapeGrid, size: number): ReadonlyMap<string, Place> {
  const [width, height] = [tokenWidth(1, size), size * MARK];
  const block = { boxes: [{ left: -width / 2, top: -height / 2, width, height }], lines: [], size, row: [0, 0] as const };
  const taken = new OccupiedArea();
  return new Map(
    shapes.map(({ shape, spot }) => {
      const [x, y] = best(land, spot, [block], taken, 256)?.row ?? [shape.labelX, shape.labelY];
      return [shape.code, { x, y }];
    }),
  );
}

interface Shaped {
  readonly shape: Shape;
  readonly spot: Spot;
}

/** Fill a raster with shapes; return them with the smallest first, which is placed first. */
function bySize(shapes: readonly Shape[], grid: ShapeGrid): Shaped[] {
  const spots = shapes.map((shape, place) => ({ shape, spot: grid.fill(shape, place + 1) }));
  const area = ({ bounds }: Spot): number => bounds.width * bounds.height;
  return spots.sort((one, other) => area(one.spot) - area(other.spot));
}

function rose(map: BoardMap, taken: OccupiedArea): Labels["rose"] {
  const water = new ShapeGrid(map.width, map.height);
  for (const shape of map.seas) water.fill(shape, 1);
  const side = map.width / 11;
  const bounds = { left: 0, top: 0, width: map.width, height: map.height };
  const spot = { number: 1, bounds, x: Math.round(side), y: Math.round(map.height * 0.6) };
  const box = { left: -side / 2, top: -side / 2, width: side, height: side };
  const place = taken.firstFree(water.prices(spot, DEAR).places(side, side, 0.03), [box]);
  return place && { x: place.x, y: place.y, side };
}

/** Return the possible labels of a province with this many symbols, the best first. */
function provinceBlocks(name: string, symbols: number): Block[] {
  const row = MARKS * (TOKEN + DIGIT + symbols * (MARK + GAP));
  return SIZES.flatMap((size) => [...split(name).map((lines) => above(lines, row, size)), beside(name, row, size)]);
}

/** Return a name in lines with its marks in a row below. */
function above(texts: readonly string[], row: number, size: number): Block {
  const height = MARKS * MARK;
  const top = -(size * ROOM * texts.length + height + MARKS * GAP) / 2;
  const boxes = texts.map((text, at) => textBox(text, size, 0, top + (at + 0.5) * size * ROOM));
  const y = top + size * ROOM * texts.length + MARKS * GAP + height / 2;
  const lines = texts.map((text, at) => ({ text, x: 0, y: top + (at + 0.5) * size * ROOM + size * 0.34, size }));
  return { boxes: [...boxes, { left: -row / 2, top: y - height / 2, width: row, height }], lines, size, row: [0, y] };
}

/** Return a name with its marks in the same line. */
function beside(text: string, row: number, size: number): Block {
  const width = textWidth(text, size);
  const left = -(width + MARKS * GAP + row) / 2;
  const x = left + width + MARKS * GAP + row / 2;
  const marks = { left: x - row / 2, top: (-MARKS * MARK) / 2, width: row, height: MARKS * MARK };
  const line = { text, x: left + width / 2, y: size * 0.34, size };
  return { boxes: [textBox(text, size, left + width / 2, 0), marks], lines: [line], size, row: [x, 0] };
}

function seaBlocks(name: string): Block[] {
  return SEA_SIZES.flatMap((size) =>
    split(name).map((texts) => {
      const middles = texts.map((_, at) => (at + 0.5 - texts.length / 2) * size * ROOM);
      const boxes = texts.map((text, at) => textBox(text, size, 0, middles[at] ?? 0, size * SEA_SPACING));
      const lines = texts.map((text, at) => ({ text, x: (size * SEA_SPACING) / 2, y: (middles[at] ?? 0) + size * 0.34, size }));
      return { boxes, lines, size, row: [0, 0] as const };
    }),
  );
}

function textBox(text: string, size: number, x: number, y: number, spacing = 0): Box {
  const width = textWidth(text, size, spacing);
  return { left: x - width / 2, top: y - (size * ROOM) / 2, width, height: size * ROOM };
}

/** Split a name into one line, two lines if it has several words, and a line for each word. */
function split(name: string): string[][] {
  const words = name.split(/ +/);
  const result = [[name]];
  if (words.length > 1) {
    const cuts = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
    const longest = (lines: readonly string[]): number => Math.max(...lines.map((line) => line.length));
    result.push(cuts.reduce((one, other) => (longest(other) < longest(one) ? other : one)));
  }
  if (words.length > 2) result.push(words);
  return result;
}

/** Return small rectangles along a line, to keep labels away from it. */
function along([ax = 0, ay = 0, bx = 0, by = 0]: readonly number[]): Box[] {
  const pieces = Math.max(1, Math.floor(Math.max(Math.abs(bx - ax), Math.abs(by - ay)) / 6));
  return Array.from({ length: pieces + 1 }, (_, piece) => ({
    left: ax + ((bx - ax) * piece) / pieces - 2,
    top: ay + ((by - ay) * piece) / pieces - 2,
    width: 4,
    height: 4,
  }));
}

/** Return the best of several blocks at its best free place: large, and mostly inside. */
function best(grid: ShapeGrid, spot: Spot, blocks: readonly Block[], taken: OccupiedArea, dear: number): Block | undefined {
  const prices = grid.prices(spot, dear);
  const largest = blocks[0]?.size ?? 1;
  const tries = blocks.flatMap((block) =>
    TOLERATED.map((most) => ({ cost: most + SMALLNESS * (1 - block.size / largest), most, block })),
  );
  tries.sort((one, other) => one.cost - other.cost);
  for (const { most, block } of tries) {
    const width = 2 * Math.max(...block.boxes.map((box) => box.left + box.width));
    const height = 2 * Math.max(...block.boxes.map((box) => box.top + box.height));
    const place = taken.firstFree(prices.places(width, height, most), block.boxes);
    if (!place) continue;
    const { x, y } = place;
    taken.take(block.boxes.map((box) => moved(box, x, y)));
    const lines = block.lines.map((line) => ({ ...line, x: line.x + x, y: line.y + y }));
    return { ...block, lines, row: [block.row[0] + x, block.row[1] + y] };
  }
  return undefined;
}
