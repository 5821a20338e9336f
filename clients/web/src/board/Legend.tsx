/** What colours and symbols of the board mean, and what land costs and earns; loaded when it is opened. */

import "./legend.css";

import { t } from "../i18n/i18n";
import type { Names } from "../match/names";
import { pawns } from "../match/wording";
import { MARKS, tokenWidth } from "./labels";
import { Token } from "./Province";
import { PATTERNS, Symbol } from "./symbols";

export function Legend({ names }: { names: Names }) {
  const entries: [string, preact.ComponentChild][] = [
    ...names.rules.terrains.map(({ code, cost }): [string, preact.ComponentChild] => [
      `${names.terrain(code)}: ${pawns(cost)}, ${t("{n} VP", { n: code === "mountain" ? 0 : 1 })}`, // R-SCORE-1
      <Field code={code} />,
    ]),
    [`${t("Port")} (${names.traitExplained("POR")})`, <Symbol name="port" />],
    [`${t("Mine")} (${names.traitExplained("MIN")})`, <Symbol name="mine" />],
    [`${t("Fort")} (${names.traitExplained("FOR")})`, <Symbol name="fort" />],
    [t("Pawns of an active empire"), <Sign seat={1} />],
    [t("Pawns of a declined empire"), <Sign seat={1} isDeclined />],
    [t("Neutral pawns"), <Sign seat={0} />],
    [t("Pawns a conquest costs; enlarge to see all"), <g class="cost"><circle r="39" /><text y="19" font-size="54">3</text></g>],
    [t("Declined empire"), <rect class="field seat1" x="-45" y="-30" width="90" height="60" rx="8" fill="url(#declined-1)" />],
    [t("Strait: its provinces are neighbours"), <path class="strait" d="M-45 0H45" />],
  ];
  return (
    <ul>
      {entries.map(([name, drawing]) => (
        <li key={name}>
          <svg viewBox="-52 -52 104 104" aria-hidden="true">
            {drawing}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** A terrain as a field of the board. */
export function Field({ code }: { code: string }) {
  const pattern = PATTERNS.has(code) ? `url(#terrain-${code})` : "none";
  return (
    <>
      <rect class={`terrain ${code}`} x="-45" y="-30" width="90" height="60" rx="8" />
      <rect x="-45" y="-30" width="90" height="60" rx="8" fill={pattern} />
    </>
  );
}

function Sign({ seat, isDeclined = false }: { seat: number; isDeclined?: boolean }) {
  return <Token garrison={{ seat, isDeclined, pawns: 2, fort: false }} width={tokenWidth(2, MARKS)} at="scale(1.35)" />;
}
