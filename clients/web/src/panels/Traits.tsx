/** Traits as chips in the colours of their printed counters; what they do is told on hovering, focus and touch. */

import { t } from "../i18n/i18n";
import type { Names } from "../match/names";
import { explained } from "../tips";

export function Traits({ codes, names }: { codes: readonly string[]; names: Names }) {
  if (codes.length === 0) return <small>{t("no lasting trait")}</small>;
  return (
    <span class="traits">
      {codes.map((code, place) => (
        <span
          key={place}
          class={`trait ${names.traits.get(code.replace(/\*$/, ""))?.colour ?? ""}`}
          aria-label={names.traitExplained(code)}
          {...explained(names.traitDescription(code))}
        >
          {names.trait(code)}
        </span>
      ))}
    </span>
  );
}
