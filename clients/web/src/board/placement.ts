/**
 * Places labels on the board without overlaps, trying many places for each, as for the SVG board: the shapes of the map are a
 * raster of small squares; a place costs less the more of the label lies in its shape and the nearer it is to the label point.
 */

import type { Shape } from "../gen/vinci/v1/game_pb";
import { type Box, moved, overlaps } from "./geometry";

const STEP = 6;
/** Greatest distance of a label from its shape. */
const REACH = 120;
/** Free space around a label. */
const AIR = 3;

export interface Place {
  readonly cost: number;
  readonly x: number;
  readonly y: number;
}

/** A shape for labels: its number in the raster, its bounds and its label point. */
export interface Spot {
  readonly number: number;
  readonly bounds: Box;
  readonly x: number;
  readonly y: number;
}

/** A raster of the map: each square has the number of the shape at its centre; later shapes cover earlier ones. */
export class ShapeGrid {
  private readonly columns: number;
  private readonly rows: number;
  private readonly squares: Uint8Array;

  constructor(width: number, height: number) {
    this.columns = Math.ceil(width / STEP);
    this.rows = Math.ceil(height / STEP);
    this.squares = new Uint8Array(this.columns * this.rows);
  }

  /** Draw a shape with a number from 1 to 255. */
  fill(shape: Shape, number: number): Spot {
    const crossings = new Map<number, number[]>();
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { points } of shape.rings) {
      const last = points.length - 2;
      for (let at = 0; at <= last; at += 2) {
        const [ax = 0, ay = 0] = [points[at], points[at + 1]];
        const [bx = 0, by = 0] = at === last ? [points[0], points[1]] : [points[at + 2], points[at + 3]];
        [left, right, top, bottom] = [Math.min(left, ax), Math.max(right, ax), Math.min(top, ay), Math.max(bottom, ay)];
        const [low, high] = ay < by ? [ay, by] : [by, ay];
        for (let row = Math.max(0, Math.ceil(low / STEP - 0.5)); row < this.rows && (row + 0.5) * STEP < high; row++) {
          const column = ax + (((row + 0.5) * STEP - ay) * (bx - ax)) / (by - ay);
          const found = crossings.get(row);
          if (found) found.push(column);
          else crossings.set(row, [column]);
        }
      }
    }
    for (const [row, columns] of crossings) {
      columns.sort((one, other) => one - other);
      for (let at = 0; at + 1 < columns.length; at += 2) {
        const first = Math.max(0, Math.round((columns[at] ?? 0) / STEP));
        const end = Math.min(this.columns, Math.round((columns[at + 1] ?? 0) / STEP));
        if (end > first) this.squares.fill(number, row * this.columns + first, row * this.columns + end);
      }
    }
    const bounds = left <= right ? { left, top, width: right - left, height: bottom - top } : { left: 0, top: 0, width: 0, height: 0 };
    return { number, bounds, x: shape.labelX, y: shape.labelY };
  }

  /**
   * Return the costs of covering the squares in and around a shape. Squares of other shapes cost twice as much as empty ones;
   * shapes from number `dear` on must not be covered.
   */
  prices(spot: Spot, dear: number): Prices {
    const { bounds } = spot;
    const top = Math.max(0, Math.floor((bounds.top - REACH) / STEP));
    const bottom = Math.min(this.rows, Math.floor((bounds.top + bounds.height + REACH) / STEP) + 1);
    const left = Math.max(0, Math.floor((bounds.left - REACH) / STEP));
    const right = Math.min(this.columns, Math.floor((bounds.left + bounds.width + REACH) / STEP) + 1);
    const wide = right - left + 1;
    const sums = new Int32Array(wide * (bottom - top + 1));
    for (let row = top; row < bottom; row++) {
      let line = 0;
      const here = (row - top + 1) * wide;
      for (let column = left; column < right; column++) {
        const number = this.squares[row * this.columns + column] ?? 0;
        line += number === spot.number ? 0 : number === 0 ? 1 : number >= dear ? 12 : 2;
        const at = here + column - left + 1;
        sums[at] = (sums[at - wide] ?? 0) + line;
      }
    }
    return new Prices(spot, left, top, wide, bottom - top + 1, sums);
  }
}

/** Costs of covering the squares around a shape, as sums from the top left, a corner in squares. */
export class Prices {
  constructor(
    private readonly spot: Spot,
    private readonly left: number,
    private readonly top: number,
    private readonly wide: number,
    private readonly high: number,
    private readonly sums: Int32Array,
  ) {}

  /** Return the places for a label of this size with a cost of at most `most`, the best first. */
  places(width: number, height: number, most: number): readonly Place[] {
    const { spot, sums, wide } = this;
    const [across, down] = [Math.floor(width / STEP) + 1, Math.floor(height / STEP) + 1];
    const reach = (spot.bounds.width + spot.bounds.height) ** 2 || 1;
    const found: Place[] = [];
    for (let row = 0; row + down < this.high; row += 2) {
      const y = (this.top + row + down / 2) * STEP;
      const awayDown = 2 * (y - spot.y) ** 2;
      const [upper, lower] = [row * wide, (row + down) * wide];
      for (let column = 0; column + across < wide; column += 2) {
        const outside =
          (sums[lower + column + across] ?? 0) -
          (sums[lower + column] ?? 0) -
          (sums[upper + column + across] ?? 0) +
          (sums[upper + column] ?? 0);
        const x = (this.left + column + across / 2) * STEP;
        const cost = outside / (across * down) + ((x - spot.x) ** 2 + awayDown) / reach;
        if (cost <= most) found.push({ cost, x, y });
      }
    }
    return found.sort((one, other) => one.cost - other.cost);
  }
}

/** The occupied rectangles. */
export class OccupiedArea {
  private readonly boxes: Box[] = [];

  take(boxes: Iterable<Box>): void {
    this.boxes.push(...boxes);
  }

  /** Return the first place at which these rectangles, relative to its centre, are free; undefined if there is none. */
  firstFree(places: readonly Place[], boxes: readonly Box[]): Place | undefined {
    return places.find(({ x, y }) =>
      boxes.every((box) => {
        const there = moved(box, x, y);
        return !this.boxes.some((other) => overlaps(there, other, AIR));
      }),
    );
  }
}
