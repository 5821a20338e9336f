/** Symbols of the board, each in a square of side 100 around 0, 0, and patterns of terrains: those of the SVG board. */

import drawing from "./drawing.json";

type Shape = readonly [fill: string, stroke: string, width: number, path: string];
type Name = keyof typeof drawing.symbols;

const SYMBOLS = drawing.symbols as unknown as Readonly<Record<Name, readonly Shape[]>>;

/** The side of the square pattern of each terrain, and its drawing. */
export const PATTERNS = new Map(Object.entries(drawing.patterns) as [string, [side: number, path: string]][]);

/** A symbol; `at` is its transform, and `kind` another class: a group around it for them would be drawn with each change of the board. */
export function Symbol({ name, at, kind = "" }: { name: Name; at?: string; kind?: string }) {
  return (
    <g class={`${name} ${kind}`} {...(at ? { transform: at } : {})} stroke-linecap="round" stroke-linejoin="round">
      {SYMBOLS[name].map(([fill, stroke, width, path]) => (
        <path key={path} fill={fill} stroke={stroke} stroke-width={width} d={path} />
      ))}
    </g>
  );
}
