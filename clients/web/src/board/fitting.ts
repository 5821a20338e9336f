/**
 * Places for what a map has none for: costs beside garrisons, and names where the map is too small for its labels. All in
 * units of the map; they depend on the size at which it is shown, as marks and names keep a legible size.
 */

import type { Shape } from "../gen/vinci/v1/game_pb";
import type { Size } from "./geometry";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Return a box around a point. */
export function around({ x, y }: Point, width: number, height: number): Box {
  return { left: x - width / 2, top: y - height / 2, width, height };
}

/** Return a point moved just so far that a box around it lies on the map. */
export function onMap({ x, y }: Point, width: number, height: number, map: Size): Point {
  const into = (at: number, length: number, most: number): number => Math.max(length / 2, Math.min(at, most - length / 2));
  return { x: into(x, width, map.width), y: into(y, height, map.height) };
}

/** Return the area that two boxes share. */
export function shared(one: Box, other: Box): number {
  const wide = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const high = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

function covered(box: Box, others: Iterable<Box>): number {
  let area = 0;
  for (const other of others) area += shared(box, other);
  return area;
}

function isOn({ left, top, width, height }: Box, map: Size): boolean {
  return left >= 0 && top >= 0 && left + width <= map.width && top + height <= map.height;
}

/** The land of the provinces, to be asked which one lies at a point. */
export class Ground {
  private readonly shapes: readonly { readonly code: string; readonly bounds: Box; readonly rings: readonly (readonly number[])[] }[];

  constructor(shapes: readonly Shape[]) {
    this.shapes = shapes.map(({ code, rings }) => ({ code, bounds: boundsOf(rings[0]?.points ?? []), rings: rings.map(({ points }) => points) }));
  }

  /** Return the code of the province at a point; empty for water and other land. */
  at({ x, y }: Point): string {
    const point = around({ x, y }, 1e-3, 1e-3);
    return this.shapes.find(({ bounds, rings }) => shared(bounds, point) > 0 && isInside(rings, x, y))?.code ?? "";
  }

  /** Return how many of the points of a cost lie outside a province. */
  outside(code: string, { x, y }: Point, side: number): number {
    const rings = this.shapes.find((shape) => shape.code === code)?.rings ?? [];
    return POINTS.filter(([right, down]) => !isInside(rings, x + right * side, y + down * side)).length;
  }

  /** Return points of a grid over a province. */
  grid(code: string, step: number): readonly Point[] {
    const bounds = this.shapes.find((shape) => shape.code === code)?.bounds;
    if (!bounds) return [];
    const along = (start: number, length: number): number[] => Array.from({ length: Math.ceil(length / step) }, (_, at) => start + (at + 0.5) * step);
    return along(bounds.left, bounds.width).flatMap((x) => along(bounds.top, bounds.height).map((y) => ({ x, y })));
  }
}

function boundsOf(points: readonly number[]): Box {
  const [xs, ys] = [points.filter((_, place) => place % 2 === 0), points.filter((_, place) => place % 2 === 1)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

function isInside(rings: readonly (readonly number[])[], x: number, y: number): boolean {
  let isIn = false;
  for (const points of rings) {
    for (let end = 0, start = points.length - 2; end < points.length; start = end, end += 2) {
      const [ax = 0, ay = 0, bx = 0, by = 0] = [points[start], points[start + 1], points[end], points[end + 1]];
      if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) isIn = !isIn;
    }
  }
  return isIn;
}

/** Directions in which a cost is tried, the best first: beside the garrison, then above and below. */
const DIRECTIONS: readonly (readonly [number, number])[] = [
  [-1, 0],
  [1, 0],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
  [0, -1],
  [0, 1],
  [-1, -0.5],
  [1, -0.5],
  [-1, 0.5],
  [1, 0.5],
  [-0.5, -1],
  [0.5, -1],
  [-0.5, 1],
  [0.5, 1],
];
/** Points of a cost at which its land is looked at, in its diameters. */
const POINTS: readonly (readonly [number, number])[] = [
  [0, 0],
  [-0.4, 0],
  [0.4, 0],
  [0, -0.4],
  [0, 0.4],
];
/** How far away a cost is tried, in its diameters. */
const DISTANCES = [0, 0.3, 0.7, 1.2];

/** Place in that order of any other point of the province. */
const ANYWHERE = 64;

/** How far a row is moved off another, in its heights. */
const STEPS = [0.25, 0.5, 0.75, 1];

/** Return rows of marks moved off each other, as little as they can be, and not onto the land of another province. */
export function apart(rows: ReadonlyMap<string, Box>, map: Size, ground: Ground): ReadonlyMap<string, Box> {
  const placed = new Map(rows);
  for (const [code, box] of rows) {
    const others = Array.from(placed).flatMap(([other, at]) => (other === code ? [] : [at]));
    let least = covered(box, others);
    for (const step of STEPS) {
      for (const [x, y] of DIRECTIONS) {
        const moved = { ...box, left: box.left + x * step * box.height, top: box.top + y * step * box.height };
        const area = covered(moved, others);
        if (area >= least || !isOn(moved, map)) continue;
        const land = ground.at({ x: moved.left + box.width / 2, y: moved.top + box.height / 2 });
        if (land !== "" && land !== code) continue;
        least = area;
        placed.set(code, moved);
      }
    }
  }
  return placed;
}

/** Where a cost is written, how many of its points (Ground.outside) are not land of its province, and whether it needs a line to the garrison. */
export interface PlacedCost extends Point {
  readonly outside: number;
  readonly hasLine: boolean;
}

/**
 * Return where costs are written: on the map, clear of garrisons and of each other, in the own land, and if possible clear of names.
 *
 * @param marks the garrison of each province with other marks, as wide as 0 where there are none.
 * @param names what is better left legible.
 * @param side width and height of a cost.
 */
export function placedCosts(
  codes: Iterable<string>,
  marks: ReadonlyMap<string, Box>,
  names: readonly Box[],
  side: number,
  map: Size,
  ground: Ground,
): ReadonlyMap<string, PlacedCost> {
  const placed = new Map<string, PlacedCost>();
  const taken = [...marks.values()];
  for (const code of codes) {
    const row = marks.get(code);
    if (!row) continue;
    let [least, best]: [number, PlacedCost] = [Infinity, { x: 0, y: 0, outside: 0, hasLine: false }];
    const weigh = (centre: Point, place: number): void => {
      const point = onMap(centre, side, side, map);
      const box = around(point, side, side);
      const price = 100 * covered(box, taken) + 8 * covered(box, names) + (side * side * place) / 20;
      if (price >= least) return;
      const outside = ground.outside(code, point, side);
      const whole = price + side * side * 1.5 * outside;
      if (whole < least) [least, best] = [whole, { ...point, outside, hasLine: outside > 0 || (row.width > 0 && place === ANYWHERE) }];
    };
    candidates(row, side).forEach(weigh);
    if (best.outside > 1 || covered(around(best, side, side), names) > 0) ground.grid(code, side / 2).forEach((centre) => weigh(centre, ANYWHERE));
    placed.set(code, best);
    taken.push(around(best, side, side));
  }
  return placed;
}

function candidates({ left, top, width, height }: Box, side: number): readonly Point[] {
  const middle = { x: left + width / 2, y: top + height / 2 };
  const gap = side * 0.06;
  const [right, down] = [(width + side) / 2 + gap, (height + side) / 2 + gap];
  const aside = DISTANCES.flatMap((distance) =>
    DIRECTIONS.map(([x, y]) => ({ x: middle.x + x * (right + distance * side), y: middle.y + y * (down + distance * side) })),
  );
  return width > 0 ? aside : [middle, ...aside];
}

/** A name that fits: its lines, each around its x and y. */
export interface FittedName {
  readonly code: string;
  readonly lines: readonly (Point & { readonly text: string })[];
  readonly boxes: readonly Box[];
}

/** A name to be fitted: its lines as on a large map. */
export interface NameToFit {
  readonly code: string;
  readonly lines: readonly string[];
}

const LINE = 1.02;
/** Parts of the width of a name by which it is moved aside, and of its height by which it is moved away from the garrison. */
const ASIDE = [0, -0.2, 0.2, -0.4, 0.4];
const AWAY = [0, 0.5, 1.2];
/** Points of a line at which its land is looked at. */
const SAMPLES = [-0.48, -0.25, 0, 0.25, 0.48];
/** Most points of a name that may lie in other provinces: first none, then some for the names that are left. */
const FOREIGN = [0, 0.25];

/** Return the names for which there is room: on the map, clear of garrisons and of each other, and in their own land or on water. */
export function fittedNames(
  names: readonly NameToFit[],
  marks: ReadonlyMap<string, Box>,
  size: number,
  widthOf: (text: string) => number,
  map: Size,
  ground: Ground,
): readonly FittedName[] {
  const found: FittedName[] = [];
  const rows = [...marks.values()].filter(({ width }) => width > 0);
  const taken = [...rows];
  const left = new Set(names);
  for (const foreign of FOREIGN) {
    for (const name of left) {
      const row = marks.get(name.code);
      const apart = row?.width === 0 ? size / 2 : 0; // without pawns of its own it would seem to name those of another below or above it
      const fit = trials(name, row, size, widthOf).find(({ lines, boxes }) => {
        if (!boxes.every((box) => isOn(box, map) && covered(box, taken) === 0 && covered({ ...box, top: box.top - apart, height: box.height + 2 * apart }, rows) === 0)) return false;
        const points = lines.flatMap(({ x, y }, at) => SAMPLES.map((part) => ({ x: x + part * (boxes[at]?.width ?? 0), y })));
        const lands = points.map((point) => ground.at(point));
        const [own, others] = [lands.filter((land) => land === name.code), lands.filter((land) => land !== "" && land !== name.code)];
        return own.length > others.length && others.length <= foreign * lands.length;
      });
      if (!fit) continue;
      found.push(fit);
      taken.push(...fit.boxes);
      left.delete(name);
    }
  }
  return found;
}

/** Return the places that are tried for a name, the best first. */
function trials({ code, lines }: NameToFit, row: Box | undefined, size: number, widthOf: (text: string) => number): readonly FittedName[] {
  if (!row) return [];
  const [middle, high] = [row.left + row.width / 2, size * LINE];
  const texts = lines.length > 1 ? [lines, [lines.join(" ")]] : [lines];
  return texts.flatMap((some) => {
    const widths = some.map((text) => widthOf(text) * size);
    const widest = Math.max(...widths);
    const tall = high * some.length;
    const tops = row.width > 0
      ? AWAY.flatMap((away) => [row.top - tall - away * high, row.top + row.height + away * high])
      : AWAY.flatMap((away) => [row.top + row.height / 2 - tall / 2 - away * high, row.top + row.height / 2 - tall / 2 + away * high]);
    return tops.flatMap((top) =>
      ASIDE.map((aside): FittedName => {
        const x = middle + aside * widest;
        const written = some.map((text, at) => ({ text, x, y: top + (at + 0.5) * high }));
        return { code, lines: written, boxes: written.map((line, at) => around(line, widths[at] ?? 0, high)) };
      }),
    );
  });
}
