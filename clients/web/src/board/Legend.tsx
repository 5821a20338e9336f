/** What colours and symbols of the board mean. */

import { t } from "../i18n/i18n";
import type { Names } from "../match/names";
import { MARKS, tokenWidth } from "./labels";
import { Token } from "./Province";
import { PATTERNS, Symbol } from "./symbols";

export function Legend({ names }: { names: Names }) {
  const entries: [string, preact.ComponentChild][] = [
    ...names.rules.terrains.map(({ code }): [string, preact.ComponentChild] => [names.terrain(code), <Field code={code} />]),
    [t("Port"), <Symbol name="port" />],
    [t("Mine"), <Symbol name="mine" />],
    [t("Fort"), <Symbol name="fort" />],
    [t("Garrison: seat and pawns"), <Sign seat={1} isDeclined={false} />],
    [t("Garrison of a declined empire"), <Sign seat={1} isDeclined />],
    [t("Neutral pawns"), <Sign seat={0} isDeclined={false} />],
    [t("Pawns that a conquest costs"), <g class="cost"><circle r="26" /><text y="13" font-size="36">3</text></g>],
    [t("Declined empire"), <rect class="field seat1" x="-45" y="-30" width="90" height="60" rx="8" fill="url(#declined-1)" />],
    [t("Strait"), <path class="strait" d="M-45 0H45" />],
  ];
  return (
    <details class="legend">
      <summary>{t("Legend")}</summary>
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
    </details>
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

function Sign({ seat, isDeclined }: { seat: number; isDeclined: boolean }) {
  return <Token garrison={{ seat, isDeclined, pawns: 2, fort: false }} width={tokenWidth(2, MARKS)} />;
}
