/** What a province shows of the position: the tint of its owner, its name and marks. */

import type { ComponentChild } from "preact";

import type { Province } from "../gen/vinci/v1/game_pb";
import { pure } from "../pure";
import { BASE, GAP, type Label, MARK, MARKS, TOKEN, tokenWidth } from "./labels";
import { Symbol } from "./symbols";

/** Who has pawns in a province. */
export interface Garrison {
  /** 0 for neutral pawns. */
  readonly seat: number;
  readonly isDeclined: boolean;
  readonly pawns: number;
  readonly fort: boolean;
}

/** The tint and the band along the border in the colour of the owner, hatched if declined. */
export const Tint = pure(function Tint({ code, garrison: { seat, isDeclined } }: { code: string; garrison: Garrison }) {
  return (
    <g class={`empire seat${seat}`} clip-path={`url(#in-${code})`}>
      {seat > 0 && <use href={`#land-${code}`} class="even" />}
      {seat > 0 && (
        <use
          href={`#land-${code}`}
          class={isDeclined ? "tint declined" : "tint"}
          {...(isDeclined ? { fill: `url(#declined-${seat})` } : {})}
        />
      )}
      <use href={`#land-${code}`} class="band" />
    </g>
  );
});

const SIDE = MARKS * MARK;
const BETWEEN = MARKS * GAP;

/** A mark in the row of a province; port and mine are left out where there is no room for names. */
interface RowMark {
  readonly width: number;
  readonly isAlways: boolean;
  readonly draw: () => ComponentChild;
}

function rowOf(province: Province, garrison: Garrison | undefined): readonly RowMark[] {
  const row: RowMark[] = [];
  if (garrison && garrison.pawns > 0) {
    const width = tokenWidth(garrison.pawns, MARKS);
    row.push({ width, isAlways: true, draw: () => <Token garrison={garrison} width={width} /> });
  }
  const symbol = (name: "port" | "mine" | "fort", isAlways: boolean): void => {
    const draw = () => (
      <g transform={`scale(${(SIDE / 100).toFixed(3)})`}>
        <Symbol name={name} />
      </g>
    );
    row.push({ width: SIDE, isAlways, draw });
  };
  if (garrison?.fort) symbol("fort", true);
  if (province.port) symbol("port", false);
  if (province.mine) symbol("mine", false);
  return row;
}

function lengthOf(row: readonly RowMark[]): number {
  return row.length === 0 ? 0 : row.reduce((sum, { width }) => sum + width + BETWEEN, -BETWEEN);
}

function always(row: readonly RowMark[]): readonly RowMark[] {
  return row.filter(({ isAlways }) => isAlways);
}

/** Return where a label is drawn, as properties for the style sheet: with names, and alone. */
function placed({ marksX, marksY, alone }: Label): Record<string, string> {
  return { "--x": `${marksX}px`, "--y": `${marksY}px`, "--alone-x": `${alone.x}px`, "--alone-y": `${alone.y}px` };
}

interface LabelProps {
  readonly province: Province;
  readonly label: Label;
  readonly garrison: Garrison | undefined;
}

/** The name of a province, and in a row the garrison, fort, port and mine. */
export const LabelOf = pure(function LabelOf({ province, label, garrison }: LabelProps) {
  const row = rowOf(province, garrison);
  const shift = (lengthOf(row) - lengthOf(always(row))) / 2;
  let left = -lengthOf(row) / 2;
  return (
    <g class="label" style={{ ...placed(label), "--alone-shift": `${shift}px` }}>
      {label.lines.map(({ text, x, y, size }) => (
        <text key={text} class="name" x={x - label.marksX} y={y + size * BASE - label.marksY} font-size={size} stroke-width={size / 5}>
          {text}
        </text>
      ))}
      <g class="marks">
        {row.map(({ width, isAlways, draw }, place) => {
          const x = left + width / 2;
          left += width + BETWEEN;
          return (
            <g key={place} class={isAlways ? "" : "symbol"} transform={`translate(${x.toFixed(1)} 0)`}>
              {draw()}
            </g>
          );
        })}
      </g>
    </g>
  );
});

/** A short text, such as a cost, to the left of the row of a province that can be chosen. */
export function Cost({ kind, text, province, label, garrison }: LabelProps & { kind: string; text: string }) {
  const row = rowOf(province, garrison);
  const radius = MARKS * 0.68;
  const before = (length: number): string => `${length === 0 ? 0 : -length / 2 - radius - BETWEEN / 2}px`;
  return (
    <g class={`label cost ${kind}`} style={placed(label)}>
      <g style={{ "--before": before(lengthOf(row)), "--alone-before": before(lengthOf(always(row))) }}>
        <circle r={radius} />
        <text y={MARKS * BASE} font-size={MARKS * 0.95}>
          {text}
        </text>
      </g>
    </g>
  );
}

/** The number of a seat in its colour, or a pawn if neutral, and the number of pawns. */
function Token({ garrison: { seat, isDeclined, pawns }, width }: { garrison: Garrison; width: number }) {
  const height = MARKS * MARK;
  const bow = height / 2;
  const left = -width / 2;
  const split = left + MARKS * (TOKEN - 0.6);
  const base = MARKS * BASE;
  return (
    <g class={`token seat${seat}${isDeclined ? " declined" : ""}`}>
      <rect class="paper" x={left} y={-bow} width={width} height={height} rx={bow} />
      <path
        class="colour"
        d={`M${split} ${-bow}H${left + bow}A${bow} ${bow} 0 0 0 ${left + bow} ${bow}H${split}Z`}
      />
      <rect class="rim" x={left} y={-bow} width={width} height={height} rx={bow} />
      {seat > 0 ? (
        <text class="seat" x={(left + split) / 2 + MARKS * 0.06} y={base} font-size={MARKS * 0.9}>
          {seat}
        </text>
      ) : (
        <g transform={`translate(${(left + split) / 2 + MARKS * 0.06} 0) scale(${MARKS / 100})`}>
          <Symbol name="pawn" />
        </g>
      )}
      <text class="pawns" x={(split + width / 2) / 2 - MARKS * 0.06} y={base} font-size={MARKS * 0.95}>
        {pawns}
      </text>
    </g>
  );
}
