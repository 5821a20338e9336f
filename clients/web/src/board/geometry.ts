/** Shapes and views of the board, as numbers. */

import type { Shape } from "../gen/vinci/v1/game_pb";

/** Return the rings of a shape as path data. */
export function outline(shape: Shape): string {
  return shape.rings.map(({ points }) => `M${points.join(" ")}z`).join("");
}

/** A view of the map in a window: `x` and `y` are the point of the map in its top left corner, `scale` pixels a unit. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How often the map can be enlarged beyond the whole. */
export const CLOSEST = 8;

/** Return the view of the whole map, in the middle of the window. */
export function whole(map: Size, window: Size): View {
  const scale = Math.min(window.width / map.width, window.height / map.height);
  return centred(map, window, { x: 0, y: 0, scale });
}

/** Return a view that is not too far, not too close, and shows no more than needed of what lies beside the map. */
export function bounded(map: Size, window: Size, view: View): View {
  const least = whole(map, window).scale;
  return centred(map, window, { ...view, scale: Math.min(Math.max(view.scale, least), least * CLOSEST) });
}

/** Return a view enlarged by a factor; the point of the window at `left` and `top` stays where it is. */
export function enlarged(map: Size, window: Size, view: View, factor: number, left: number, top: number): View {
  const { scale } = bounded(map, window, { ...view, scale: view.scale * factor });
  const [x, y] = [view.x + left / view.scale - left / scale, view.y + top / view.scale - top / scale];
  return bounded(map, window, { x, y, scale });
}

/** Return a view moved by pixels of the window. */
export function panned(map: Size, window: Size, view: View, right: number, down: number): View {
  return bounded(map, window, { ...view, x: view.x - right / view.scale, y: view.y - down / view.scale });
}

/** Return a view moved just so far that a point of the map is in it, with a margin of an eighth of the window. */
export function showing(map: Size, window: Size, view: View, x: number, y: number): View {
  const [wide, high] = [window.width / view.scale, window.height / view.scale];
  const into = (at: number, start: number, length: number): number =>
    Math.min(Math.max(start, at - length * 0.875), at - length * 0.125);
  return bounded(map, window, { ...view, x: into(x, view.x, wide), y: into(y, view.y, high) });
}

function centred(map: Size, window: Size, view: View): View {
  const along = (start: number, length: number, pixels: number): number => {
    const seen = pixels / view.scale;
    return seen >= length ? (length - seen) / 2 : Math.min(Math.max(start, 0), length - seen);
  };
  return { ...view, x: along(view.x, map.width, window.width), y: along(view.y, map.height, window.height) };
}

/** Path data of a bent arrow from one point to another, `size` wide, which begins and ends at a distance from them. */
export function arrow(
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  size: number,
): { readonly shaft: string; readonly head: string } {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const length = Math.hypot(dx, dy) || 1;
  const gap = Math.min(size, length / 8);
  const [bendX, bendY] = [fromX + dx / 2 - dy * 0.15, fromY + dy / 2 + dx * 0.15];
  const [startX, startY] = towards(fromX, fromY, bendX, bendY, gap);
  const [tipX, tipY] = towards(toX, toY, bendX, bendY, gap);
  const [neckX, neckY] = towards(tipX, tipY, bendX, bendY, size * 1.6);
  const [acrossX, acrossY] = [(neckY - tipY) * 0.62, (tipX - neckX) * 0.62];
  const data = (command: string, ...numbers: number[]): string => command + numbers.map(Math.round).join(" ");
  return {
    shaft: data("M", startX, startY) + data("Q", bendX, bendY, neckX, neckY),
    head: `${data("M", tipX, tipY, neckX + acrossX, neckY + acrossY, neckX - acrossX, neckY - acrossY)}z`,
  };
}

/** Return the point at a distance from a point in the direction of another. */
function towards(x: number, y: number, otherX: number, otherY: number, distance: number): [number, number] {
  const length = Math.hypot(otherX - x, otherY - y) || 1;
  return [x + ((otherX - x) * distance) / length, y + ((otherY - y) * distance) / length];
}

/** Return the code of the point that lies nearest in a direction, "left" for example; undefined if none does. */
export function nearest(
  points: ReadonlyMap<string, readonly [number, number]>,
  from: readonly [number, number],
  right: number,
  down: number,
): string | undefined {
  let [best, least]: [string | undefined, number] = [undefined, Infinity];
  for (const [code, [x, y]] of points) {
    const [dx, dy] = [x - from[0], y - from[1]];
    const along = dx * right + dy * down;
    const across = Math.abs(dx * down) + Math.abs(dy * right);
    if (along <= 0 || along < across * 0.4) continue;
    const cost = along + 2 * across;
    if (cost < least) [best, least] = [code, cost];
  }
  return best;
}
