/** What a province shows of the position: the tint of its owner, its name and marks. */

import type { Province } from "../gen/vinci/v1/game_pb";
import { pure } from "../pure";
import type { FittedName, Point } from "./fitting";
import { BASE, BETWEEN, fitOf, type Garrison, type Label, lengthOf, MARKS, rowOf, SIDE, TOKEN } from "./labels";
import { Symbol } from "./symbols";

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

/** Width of a cost. */
export const COST = MARKS * 1.36;

interface LabelProps {
  readonly province: Province;
  readonly label: Label;
  readonly garrison: Garrison | undefined;
  /** What the own traits score. */
  readonly wanted: string;
  /** Where its marks are while the map is too small for names. */
  readonly aloneX: number;
  readonly aloneY: number;
}

/** The name of a province, and in a row the garrison, fort, port and mine. */
export const LabelOf = pure(function LabelOf({ province, label, garrison, wanted, aloneX, aloneY }: LabelProps) {
  const row = rowOf(province, garrison, wanted, label);
  const shift = (lengthOf(row) - lengthOf(row, true)) / 2;
  const { marksX, marksY } = label;
  let left = -lengthOf(row) / 2;
  const places = { "--x": `${marksX}px`, "--y": `${marksY}px`, "--alone-x": `${aloneX}px`, "--alone-y": `${aloneY}px` };
  return (
    <g class="label" style={{ ...places, "--alone-shift": `${shift}px`, "--fit": fitOf(lengthOf(row), label).toFixed(3) }}>
      {label.lines.map(({ text, x, y, size }) => (
        <text key={text} class="name" x={x - marksX} y={y + size * BASE - marksY} font-size={size} stroke-width={size / 5}>
          {text}
        </text>
      ))}
      <g class="marks">
        {row.map(({ kind, width, isAlways }) => {
          const at = `translate(${(left + width / 2).toFixed(1)} 0)`;
          left += width + BETWEEN;
          if (kind === "token") return garrison && <Token key={kind} garrison={garrison} width={width} at={at} />;
          return <Symbol key={kind} name={kind} at={`${at} scale(${(SIDE / 100).toFixed(3)})`} kind={isAlways ? "" : "extra"} />;
        })}
      </g>
    </g>
  );
});

/** A short text, such as a cost, of a province that can be chosen. */
export function Cost({ kind, text, at: { x, y } }: { kind: string; text: string; at: Point }) {
  return (
    <g class={`placed cost ${kind}`} style={{ "--x": `${x.toFixed(1)}px`, "--y": `${y.toFixed(1)}px` }}>
      <circle r={COST / 2} />
      <text y={MARKS * BASE} font-size={MARKS * (text.length > 1 ? 0.7 : 0.95)}>
        {text}
      </text>
    </g>
  );
}

/** A name on a map that is too small for the usual ones; `size` is that of its font. */
export function SmallName({ name: { lines }, size }: { name: FittedName; size: number }) {
  return lines.map(({ text, x, y }) => (
    <text key={text} class="name placed" style={{ "--x": `${x.toFixed(1)}px`, "--y": `${y.toFixed(1)}px` }} y={size * BASE} font-size={size} stroke-width={size / 4}>
      {text}
    </text>
  ));
}

/** The number of a seat in its colour, or a pawn if neutral, and the number of pawns. */
export function Token({ garrison: { seat, isDeclined, pawns }, width, at }: { garrison: Garrison; width: number; at: string }) {
  const bow = SIDE / 2;
  const left = -width / 2;
  const split = left + MARKS * (TOKEN - 0.6);
  const base = MARKS * BASE;
  return (
    <g class={`token seat${seat}${isDeclined ? " declined" : ""}`} transform={at}>
      <rect class="paper" x={left} y={-bow} width={width} height={SIDE} rx={bow} />
      <path
        class="colour"
        d={`M${split} ${-bow}H${left + bow}A${bow} ${bow} 0 0 0 ${left + bow} ${bow}H${split}Z`}
      />
      <rect class="rim" x={left} y={-bow} width={width} height={SIDE} rx={bow} />
      {seat > 0 ? (
        <text class="seat" x={(left + split) / 2 + MARKS * 0.06} y={base} font-size={MARKS * 0.9}>
          {seat}
        </text>
      ) : (
        <Symbol name="pawn" at={`translate(${(left + split) / 2 + MARKS * 0.06} 0) scale(${MARKS / 100})`} />
      )}
      <text class="pawns" x={(split + width / 2) / 2 - MARKS * 0.06} y={base} font-size={MARKS * 0.95}>
        {pawns}
      </text>
    </g>
  );
}
