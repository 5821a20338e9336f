/** What of the board is placed by its size on the screen: garrisons without names, small names, and costs. */

import { useMemo } from "preact/hooks";

import type { Board, BoardMap } from "../gen/vinci/v1/game_pb";
import type { Marks } from "../match/marks";
import { apart, around, type Box, type FittedName, fittedNames, Ground, onMap, placedCosts, type PlacedCost, type Point, shared } from "./fitting";
import { fitOf, type Garrison, type Label, type Labels, lengthOf, MARKS, rowOf, SIDE } from "./labels";
import { COST } from "./Province";
import type { Seen } from "./useViewport";

/** Font size of small names, in the units of marks. */
export const SMALL = MARKS * 0.82;
/** Part of a name that a cost may cover before it is better left out. */
const LEGIBLE = 0.12;
/** Most costs on a map without room for names that are all written; of more, those that cover no name and need no line. */
const FEW = 12;

export interface Fitting {
  /** The middle of the marks of each province while the map is too small for names. */
  readonly alone: ReadonlyMap<string, Point>;
  readonly costs: ReadonlyMap<string, PlacedCost>;
  readonly small: readonly FittedName[];
}

export function useFitting(
  map: BoardMap,
  board: Board,
  labels: Labels,
  garrisons: ReadonlyMap<string, Garrison>,
  marks: Marks,
  wanted: string,
  { scale, mark, hasNames }: Seen,
): Fitting {
  const ground = useMemo(() => new Ground(map.provinces), [map]);
  const rows = useMemo(() => {
    const alone = new Map<string, Box>();
    const named = new Map<string, Box>();
    for (const province of board.provinces) {
      const label = labels.provinces.get(province.code);
      if (!label) continue;
      const row = rowOf(province, garrisons.get(province.code), wanted, label);
      const boxOf = (at: Point, length: number, size: number): Box => around(at, length * size, length > 0 ? SIDE * size : 0);
      const length = lengthOf(row, true);
      alone.set(province.code, boxOf(onMap(label.alone, length * mark, SIDE * mark, map), length, mark));
      named.set(province.code, boxOf({ x: label.marksX, y: label.marksY }, lengthOf(row), mark * fitOf(lengthOf(row), label)));
    }
    const clear = hasNames ? alone : apart(alone, map, ground);
    const middles = Array.from(clear, ([code, { left, top, width, height }]) => [code, { x: left + width / 2, y: top + height / 2 }] as const);
    return { alone: new Map<string, Point>(middles), boxes: hasNames ? named : clear };
  }, [map, board, labels, garrisons, wanted, mark, hasNames, ground]);
  const small = useMemo(() => {
    if (hasNames || scale === 0) return [];
    const names = Array.from(labels.provinces, ([code, { lines }]) => ({ code, lines: lines.map(({ text }) => text) }));
    return fittedNames(names, rows.boxes, SMALL * mark, widthOf, map, ground);
  }, [labels, rows, map, ground, hasNames, scale, mark]);
  const large = useMemo(() => (hasNames ? Array.from(labels.provinces.values()).flatMap((label) => linesOf(label, mark)) : []), [labels, hasNames, mark]);
  return useMemo(() => {
    const codes = scale === 0 ? [] : board.provinces.map(({ code }) => code).filter((code) => marks.get(code)?.text);
    const names = hasNames ? large : small.flatMap(({ boxes }) => boxes);
    const all = placedCosts(codes, rows.boxes, names, COST * mark, map, ground);
    const isClear = (at: PlacedCost): boolean => at.outside < 2 && names.every((box) => isLegible(box, [around(at, COST * mark, COST * mark)]));
    const isMany = !hasNames && codes.length > FEW;
    const costs = isMany ? new Map(Array.from(all).filter(([code, at]) => marks.get(code)?.kind !== "target" || isClear(at))) : all;
    const covers = Array.from(costs.values(), (at) => around(at, COST * mark, COST * mark));
    return { alone: rows.alone, costs, small: small.filter(({ boxes }) => boxes.every((box) => isLegible(box, covers))) };
  }, [board, marks, rows, small, large, map, ground, scale, mark, hasNames]);
}

/** Return whether a name can be read though others cover parts of it. */
function isLegible(name: Box, covers: readonly Box[]): boolean {
  return covers.every((cover) => shared(name, cover) <= LEGIBLE * name.width * name.height);
}

/** Return the lines of the name of a province, which is enlarged around the middle of its marks. */
function linesOf({ lines, marksX, marksY }: Label, mark: number): readonly Box[] {
  return lines.map(({ text, x, y, size }) => {
    const at = { x: marksX + (x - marksX) * mark, y: marksY + (y - marksY) * mark };
    return around(at, widthOf(text) * size * mark, size * mark);
  });
}

let context: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** Return the width of a text on the board, for a font size of 1. */
function widthOf(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return text.length * 0.55;
  context.font = `100px ${getComputedStyle(document.documentElement).getPropertyValue("--serif")}`;
  const width = context.measureText(text).width / 100;
  widths.set(text, width);
  return width;
}
