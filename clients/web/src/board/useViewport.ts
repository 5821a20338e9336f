/** The part of the map that is seen: drag, pinch, wheel and keys change it, without drawing the board again. */

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { bounded, enlarged, panned, showing, type Size, type View, whole } from "./geometry";
import { MARKS } from "./labels";

/** Pixels that a pointer may move in a click. */
const STILL = 6;
const WHEEL = 0.0018;
const STEP = 1.5;
/** Names are shown at their places from this scale on, in pixels a unit. */
const NAMES = 0.27;
/** Sizes of the text of marks in pixels: least, the only one without names, and most. */
const LEAST = 10.5;
const MOST = 26;

/** How much the scale changes before it is told of again: what is placed by it is drawn anew. */
const TOLD = 1.08;

type Point = readonly [x: number, y: number];

/** The size at which the map is seen. */
export interface Seen {
  /** Pixels a unit of the map; 0 before it is known. */
  readonly scale: number;
  /** The scale of marks. */
  readonly mark: number;
  /** Whether there is room for all names. */
  readonly hasNames: boolean;
}

export interface Viewport {
  /** Show all of the map. */
  readonly fit: () => void;
  /** Enlarge or reduce the map around a point that stays where it is, or without one that is seen around the middle of what is seen. */
  readonly closer: (point?: Point) => void;
  readonly farther: (point?: Point) => void;
  /** Move the view so that a point is in it. */
  readonly show: (x: number, y: number) => void;
  /** Move the view so that the nearest of some points is in it, unless all of the map is shown. */
  readonly reveal: (points: readonly Point[]) => void;
  /** Whether the pointer was dragged since it was pressed, so that its release is no click. */
  readonly wasDragged: () => boolean;
  /** Whether all of the map is shown. */
  readonly isWhole: boolean;
  readonly seen: Seen;
}

/** Let an SVG element show a part of a map; its `viewBox`, `data-detail` and `--mark` (the scale of labels) follow. */
export function useViewport(map: Size, svg: { readonly current: SVGSVGElement | null }): Viewport {
  const view = useRef<View>({ x: 0, y: 0, scale: 0 });
  const frame = useRef<Size>({ width: 1, height: 1 });
  const isFollowing = useRef(true);
  const dragged = useRef(false);
  const [isWhole, setIsWhole] = useState(true);
  const [seen, setSeen] = useState<Seen>({ scale: 0, mark: 1, hasNames: false });
  const { width, height } = map;
  const size = useMemo(() => ({ width, height }), [width, height]);

  const set = useCallback(
    (next: View): void => {
      const element = svg.current;
      if (!element) return;
      view.current = next;
      const { x, y, scale } = next;
      const { width, height } = frame.current;
      element.setAttribute("viewBox", `${x} ${y} ${width / scale} ${height / scale}`);
      const hasNames = scale >= NAMES;
      element.dataset["detail"] = hasNames ? "names" : "marks";
      const pixels = MARKS * scale;
      const factor = hasNames ? Math.max(Math.min(1, MOST / pixels), LEAST / pixels) : LEAST / pixels;
      element.style.setProperty("--mark", factor.toFixed(3));
      const isAll = (isFollowing.current = scale <= whole(size, frame.current).scale * 1.001);
      setIsWhole(isAll);
      setSeen((told) => {
        const ratio = Math.max(scale, told.scale) / Math.min(scale, told.scale);
        const isSame = told.hasNames === hasNames && (isAll ? ratio === 1 : ratio < TOLD);
        return isSame ? told : { scale, mark: factor, hasNames };
      });
    },
    [svg, size],
  );

  useLayoutEffect(() => {
    const element = svg.current;
    if (!element) return undefined;
    const resized = (): void => {
      frame.current = { width: element.clientWidth || 1, height: element.clientHeight || 1 };
      const all = whole(size, frame.current);
      set(isFollowing.current ? all : bounded(size, frame.current, view.current));
    };
    resized();
    const observer = new ResizeObserver(resized);
    observer.observe(element);
    return () => observer.disconnect();
  }, [svg, size, set]);

  useEffect(() => {
    const element = svg.current;
    if (!element) return undefined;
    const pointers = new Map<number, { x: number; y: number }>();
    let start = { x: 0, y: 0 };
    const at = (event: MouseEvent): { x: number; y: number } => {
      const { left, top } = element.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const middle = (): { x: number; y: number; apart: number } => {
      const [one, other] = [...pointers.values()];
      if (!one) return { x: 0, y: 0, apart: 0 };
      if (!other) return { ...one, apart: 0 };
      return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, apart: Math.hypot(one.x - other.x, one.y - other.y) };
    };
    const down = (event: PointerEvent): void => {
      if (pointers.size === 0) {
        start = at(event);
        dragged.current = false;
      } else dragged.current = true;
      pointers.set(event.pointerId, at(event));
    };
    const move = (event: PointerEvent): void => {
      if (!pointers.has(event.pointerId)) return;
      const before = middle();
      pointers.set(event.pointerId, at(event));
      const after = middle();
      if (!dragged.current && Math.hypot(after.x - start.x, after.y - start.y) < STILL) return;
      if (!dragged.current) {
        dragged.current = true;
        element.setPointerCapture(event.pointerId);
      }
      const shifted = panned(size, frame.current, view.current, after.x - before.x, after.y - before.y);
      const factor = before.apart && after.apart ? after.apart / before.apart : 1;
      set(factor === 1 ? shifted : enlarged(size, frame.current, shifted, factor, after.x, after.y));
    };
    const up = (event: PointerEvent): void => {
      pointers.delete(event.pointerId);
    };
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { x, y } = at(event);
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY;
      set(enlarged(size, frame.current, view.current, Math.exp(-pixels * WHEEL), x, y));
    };
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", up);
      element.removeEventListener("wheel", wheel);
    };
  }, [svg, size, set]);

  const actions = useMemo(() => {
    const zoom = (factor: number, [toX, toY]: Point = [NaN, NaN]): void => {
      const { x, y, scale } = view.current;
      const { width, height } = svg.current ? uncovered(svg.current) : frame.current;
      const [left, top] = [(toX - x) * scale, (toY - y) * scale];
      const isSeen = left >= 0 && left <= width && top >= 0 && top <= height;
      set(enlarged(size, frame.current, view.current, factor, isSeen ? left : width / 2, isSeen ? top : height / 2));
    };
    const clear = (): Size => (isFollowing.current || !svg.current ? frame.current : uncovered(svg.current));
    const show = (x: number, y: number): void => set(showing(size, clear(), view.current, x, y));
    return {
      fit: () => set(whole(size, frame.current)),
      closer: (point?: Point) => zoom(STEP, point),
      farther: (point?: Point) => zoom(1 / STEP, point),
      show,
      reveal: (points: readonly Point[]) => {
        if (isFollowing.current) return;
        const { x, y, scale } = view.current;
        const { width, height } = clear();
        const away = ([toX, toY]: Point): number => Math.hypot(toX - x - width / 2 / scale, toY - y - height / 2 / scale);
        const [nearest] = [...points].sort((one, other) => away(one) - away(other));
        if (nearest) show(...nearest);
      },
      wasDragged: () => dragged.current,
    };
  }, [svg, size, set]);
  return { ...actions, isWhole, seen };
}

/** Return the size of the part of the board above the sheet of a decision. */
function uncovered(element: SVGSVGElement): Size {
  const { top, right, bottom } = element.getBoundingClientRect();
  const sheet = document.querySelector(".pane.decision")?.getBoundingClientRect();
  const end = sheet && sheet.left < right && sheet.top > top ? Math.min(bottom, sheet.top) : bottom;
  return { width: element.clientWidth, height: end - top };
}
