/** What a province shows of the position: the tint of its owner, its name and marks. */

import type { Province } from "../gen/vinci/v1/game_pb";
import { GAP, type Label, MARK, MARKS, TOKEN, tokenWidth } from "./labels";
import { Fort, Mine, Pawn, Port } from "./symbols";

/** Who has pawns in a province. */
export interface Garrison {
  /** 0 for neutral pawns. */
  readonly seat: number;
  readonly isDeclined: boolean;
  readonly pawns: number;
  readonly fort: boolean;
}

/** The tint and the band along the border in the colour of the owner, hatched if declined. */
export function Tint({ code, garrison: { seat, isDeclined } }: { code: string; garrison: Garrison }) {
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
}

/** The name of a province, and in a row the garrison, fort, port and mine. */
export function LabelOf({
  province,
  label,
  garrison,
}: {
  province: Province;
  label: Label;
  garrison: Garrison | undefined;
}) {
  const side = MARKS * MARK;
  const gap = MARKS * GAP;
  const marks: { width: number; always: boolean; draw: () => preact.ComponentChild }[] = [];
  if (garrison && garrison.pawns > 0) {
    const width = tokenWidth(garrison.pawns, MARKS);
    marks.push({ width, always: true, draw: () => <Token garrison={garrison} width={width} /> });
  }
  const symbol = (Symbol: () => preact.ComponentChild, always: boolean): void => {
    const draw = () => (
      <g transform={`scale(${(side / 100).toFixed(3)})`}>
        <Symbol />
      </g>
    );
    marks.push({ width: side, always, draw });
  };
  if (garrison?.fort) symbol(Fort, true);
  if (province.port) symbol(Port, false);
  if (province.mine) symbol(Mine, false);
  const length = (shown: typeof marks): number => shown.reduce((sum, { width }) => sum + width + gap, -gap);
  const shift = (length(marks) - length(marks.filter(({ always }) => always))) / 2;
  let left = -length(marks) / 2;
  return (
    <g
      class="label"
      style={{
        "--x": `${label.x}px`,
        "--y": `${label.y}px`,
        "--alone-x": `${label.alone.x}px`,
        "--alone-y": `${label.alone.y}px`,
        "--alone-shift": `${shift}px`,
      }}
    >
      {label.lines.map(({ text, x, y, size }) => (
        <text key={text} class="name" x={x - label.x} y={y - label.y} font-size={size} stroke-width={size / 5}>
          {text}
        </text>
      ))}
      <g class="marks">
        {marks.map(({ width, always, draw }, place) => {
          const x = left + width / 2;
          left += width + gap;
          return (
            <g key={place} class={always ? "" : "symbol"} transform={`translate(${x.toFixed(1)} 0)`}>
              {draw()}
            </g>
          );
        })}
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
  const base = MARKS * 0.33;
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
          <Pawn />
        </g>
      )}
      <text class="pawns" x={(split + width / 2) / 2 - MARKS * 0.06} y={base} font-size={MARKS * 0.95}>
        {pawns}
      </text>
    </g>
  );
}
