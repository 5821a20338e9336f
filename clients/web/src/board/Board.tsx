/** The board: land, empires, garrisons, marks of the decision at hand, and arrows of the move that is shown. */

import "./board.css";

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { Holding, type Province, type State } from "../gen/vinci/v1/game_pb";
import { language, t } from "../i18n/i18n";
import { useLater } from "../later";
import { type Attack, attacksOf } from "../match/attacks";
import { type Marks, NO_MARKS } from "../match/marks";
import type { Names } from "../match/names";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { pawns } from "../match/wording";
import { isSame, pure } from "../pure";
import { Arrows } from "./Arrows";
import { nearest } from "./geometry";
import { type Garrison, labelsOf } from "./labels";
import { Definitions, Land, Lines } from "./Land";
import { Cost, LabelOf, SmallName, Tint } from "./Province";
import { SMALL, useFitting } from "./useFitting";
import { useViewport } from "./useViewport";

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export interface BoardProps {
  readonly table: Table;
  /** What is marked for the decision at hand. */
  readonly marks?: Marks;
  /** Act on a province: it was selected before, and is tapped again or Enter is pressed. */
  readonly activate?: ((province: string) => void) | undefined;
  /** Attacks since the own last turn, whose arrows are shown instead of those of the move that is shown. */
  readonly recap?: readonly Attack[] | undefined;
}

export function Board({ table, marks = NO_MARKS, activate, recap }: BoardProps) {
  const { model, names, map, dispatch } = table;
  const { board } = names;
  const svg = useRef<SVGSVGElement>(null);
  const viewport = useViewport(map, svg);
  const position = state(model);
  const spoken = language();
  const labels = useMemo(
    () =>
      labelsOf(
        map,
        spoken,
        (code) => names.province(code),
        (code) => names.sea(code),
      ),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the names of a board differ by language only
    [map, board, spoken],
  );
  const points = useMemo(
    () => new Map(map.provinces.map(({ code, labelX, labelY }) => [code, [labelX, labelY] as const])),
    [map],
  );
  const garrisons = useGarrisons(position, marks);
  const still = useMemo(() => <Land map={map} />, [map]);
  const lines = useMemo(() => <Lines map={map} labels={labels} />, [map, labels]);
  const definitions = useMemo(() => <Definitions map={map} board={board} />, [map, board]);
  const tints = useMemo(
    () => Array.from(garrisons, ([code, garrison]) => <Tint key={code} code={code} garrison={garrison} />),
    [garrisons],
  );
  // what the own empires score, for who looks on those of all
  const seats = position?.seats.filter(({ seat }) => seat === model.seat || model.seat === 0) ?? [];
  const wanted = seats.flatMap(({ active, declined }) => [active, declined]).flatMap((empire) => empire?.traits ?? []).map((code) => names.traits.get(code)?.per).join(" ");
  const { alone, costs, small } = useFitting(map, board, labels, garrisons, marks, wanted, viewport.seen);
  const written = useMemo(
    () =>
      board.provinces.map((province) => {
        const [label, at] = [labels.provinces.get(province.code), alone.get(province.code)];
        if (!label || !at) return null;
        return <LabelOf key={province.code} province={province} label={label} garrison={garrisons.get(province.code)} wanted={wanted} aloneX={at.x} aloneY={at.y} />;
      }),
    [board, labels, garrisons, wanted, alone],
  );
  const attacks = useMemo(
    () => attacksOf(model.shown, model.previous?.state, board),
    [model.shown, model.previous, board],
  );

  const [hasLegend, setHasLegend] = useState(false);
  const legend = useLater(hasLegend, () => import("./Legend"));

  const { selected } = model;
  const { show, reveal } = viewport;
  const marked = Array.from(marks.keys()).join(" ");
  useEffect(() => {
    const codes = new Set(marked.split(" "));
    reveal(Array.from(points).flatMap(([code, point]) => (codes.has(code) ? [point] : [])));
  }, [marked, points, reveal]);
  useEffect(() => {
    const point = points.get(selected);
    if (point) show(...point);
  }, [selected, points, show]);

  const select = (province: string): void => dispatch({ kind: "select", province });
  const tap = useRef<(province: string) => void>(() => undefined);
  tap.current = (code) => {
    if (viewport.wasDragged()) return;
    if (code === selected && activate) activate(code);
    else select(code === selected ? "" : code);
  };
  const pressed = (event: KeyboardEvent): void => {
    const direction = DIRECTIONS[event.key];
    if (direction) {
      const from = points.get(selected) ?? ([map.width / 2, map.height / 2] as const);
      const next = selected ? nearest(points, from, ...direction) : board.provinces[0]?.code;
      if (next) {
        select(next);
        svg.current?.querySelector<SVGElement>(`[data-province="${next}"]`)?.focus({ preventScroll: true });
      }
    } else if (event.key === "Enter" || event.key === " ") {
      if (selected) activate?.(selected);
    } else if (event.key === "Escape") select("");
    else if (event.key === "+") viewport.closer(points.get(selected));
    else if (event.key === "-") viewport.farther(points.get(selected));
    else if (event.key === "0") viewport.fit();
    else return;
    event.preventDefault();
  };
  const first = selected || board.provinces[0]?.code;

  return (
    <div class="board">
      <svg
        ref={svg}
        class={marks.size > 0 ? "choosing" : ""}
        role="group"
        aria-label={t("The board: arrow keys select a province, + and - change the size.")}
        onKeyDown={pressed}
      >
        {/* without its size it would be laid out twice, the first time for nothing */}
        {viewport.seen.scale > 0 && (
          <>
            {definitions}
            {still}
            <g class="empires">{tints}</g>
            {lines}
            <g class="provinces">
              {board.provinces.map((province) => {
                const { code } = province;
                const mark = marks.get(code);
                return (
                  <Target
                    key={code}
                    province={province}
                    garrison={garrisons.get(code)}
                    names={names}
                    kind={mark?.kind ?? ""}
                    cost={mark?.text ?? ""}
                    isFirst={code === first}
                    isSelected={code === selected}
                    tap={tap}
                  />
                );
              })}
            </g>
            {selected !== "" && (
              <g class="selection">
                <use href={`#land-${selected}`} />
                <use href={`#land-${selected}`} />
              </g>
            )}
            {model.shown && (
              <g key={String(model.shown.revision)} class="flash">
                {attacks.map(({ target }) => (
                  <use key={target} href={`#land-${target}`} />
                ))}
              </g>
            )}
            <Arrows attacks={recap ?? attacks} points={points} map={map} />
            <path
              class="leads"
              d={Array.from(costs, ([code, { x, y, hasLine }]) => (hasLine ? `M${x.toFixed()} ${y.toFixed()}L${points.get(code)?.join(" ") ?? ""}` : "")).join("")}
            />
            <g class="labels" aria-hidden="true">{written}</g>
            <g class="labels small" aria-hidden="true">
              {small.map((name) => (
                <SmallName key={name.code} name={name} size={SMALL} />
              ))}
            </g>
            <g class="costs" aria-hidden="true">
              {Array.from(costs, ([code, at]) => {
                const mark = marks.get(code);
                return mark && <Cost key={code} {...mark} at={at} />;
              })}
            </g>
          </>
        )}
      </svg>
      <div class="tools">
        <button aria-label={t("Closer")} onClick={() => viewport.closer(points.get(selected))}>
          +
        </button>
        <button aria-label={t("Farther")} onClick={() => viewport.farther(points.get(selected))} disabled={viewport.isWhole}>
          −
        </button>
        <button aria-label={t("The whole board")} onClick={viewport.fit} disabled={viewport.isWhole}>
          ⤢
        </button>
      </div>
      <details class="legend" onToggle={({ currentTarget: { open } }) => setHasLegend(open)}>
        <summary>{t("Legend")}</summary>
        {legend && <legend.Legend names={names} />}
      </details>
    </div>
  );
}

/** Return who has pawns in each province, as they are placed anew; a garrison that is as before is the same object. */
function useGarrisons(position: State | undefined, marks: Marks): ReadonlyMap<string, Garrison> {
  const before = useRef<ReadonlyMap<string, Garrison>>(new Map());
  const garrisons = useMemo(() => (before.current = garrisonsOf(position, before.current)), [position]);
  return useMemo(() => {
    if (!Array.from(marks.values()).some(({ pawns }) => pawns !== undefined)) return garrisons;
    const placed = Array.from(garrisons, ([code, garrison]): [string, Garrison] => {
      const { pawns, fort } = marks.get(code) ?? {};
      return [code, pawns === undefined ? garrison : { ...garrison, pawns, fort: garrison.fort || fort === true }];
    });
    return new Map(placed);
  }, [garrisons, marks]);
}

/** Return who has pawns in each province, if possible by the objects from before; provinces without pawns are left out. */
function garrisonsOf(position: State | undefined, before: ReadonlyMap<string, Garrison>): ReadonlyMap<string, Garrison> {
  const garrisons = new Map<string, Garrison>();
  position?.provinces.forEach((code, place) => {
    const holding = position.holdings[place];
    if (holding === undefined || holding === Holding.NOBODY || holding === Holding.UNSPECIFIED) return;
    const garrison = {
      seat: position.owners[place] ?? 0,
      isDeclined: holding === Holding.DECLINED,
      pawns: position.pawns[place] ?? 0,
      fort: position.forts[place] ?? false,
    };
    const known = before.get(code);
    garrisons.set(code, known && isSame(known, garrison) ? known : garrison);
  });
  return garrisons;
}

interface TargetProps {
  readonly province: Province;
  readonly garrison: Garrison | undefined;
  readonly names: Names;
  /** The kind of its mark and its cost; empty for none. */
  readonly kind: string;
  readonly cost: string;
  /** Whether the tabulator leads to it. */
  readonly isFirst: boolean;
  readonly isSelected: boolean;
  readonly tap: { readonly current: (province: string) => void };
}

/** What can be tapped of a province. */
const Target = pure(function Target({ province, garrison, names, kind, cost, isFirst, isSelected, tap }: TargetProps) {
  const { code } = province;
  return (
    <use
      href={`#land-${code}`}
      class={`province ${kind}`}
      data-province={code}
      role="button"
      tabindex={isFirst ? 0 : -1}
      aria-pressed={isSelected}
      aria-label={described(province, garrison, cost, names)}
      onClick={() => tap.current(code)}
    />
  );
});

/** Describe a province for those who do not see the board. */
function described(province: Province, garrison: Garrison | undefined, cost: string, names: Names): string {
  const parts = [names.province(province.code), names.terrain(province.terrain)];
  if (province.port) parts.push(t("port"));
  if (province.mine) parts.push(t("mine"));
  if (garrison) {
    const who = garrison.seat ? names.seat(garrison.seat) : t("neutral pawns");
    parts.push(garrison.isDeclined ? t("declined empire of {who}", { who }) : who, pawns(garrison.pawns));
    if (garrison.fort) parts.push(t("fort"));
  } else parts.push(t("empty"));
  if (cost) parts.push(t("costs {n}", { n: cost }));
  return parts.join(", ");
}
