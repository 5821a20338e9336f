/** Links to the rules, which are loaded when one of them is followed. */

import type { ComponentChildren } from "preact";

import { goAnew, onPlainClick } from "../address";
import { t } from "../i18n/i18n";

/** Open the rules over the page, from a place of them on. */
function open(anchor: string): void {
  import("./dialog").then(
    ({ showRules }) => showRules(anchor),
    () => goAnew(`/rules#${anchor}`),
  );
}

/** A link to the rules, to one of them by its id or to a section by its number. */
export function RulesLink({ anchor = "", name, label, children }: { anchor?: string; name?: string; label?: string; children: ComponentChildren }) {
  return (
    <a class={name} href={anchor ? `/rules#${anchor}` : "/rules"} aria-label={label} onClick={(event) => onPlainClick(event, () => open(anchor))}>
      {children}
    </a>
  );
}

/** The link to the rules at the top of every page. */
export function Help() {
  return (
    <RulesLink name="help" label={t("Rules")}>
      ?
    </RulesLink>
  );
}

/** A text in which each id of a rule, such as R-CONQ-3, leads to it. */
export function WithRules({ text }: { text: string }) {
  return text.split(/(R-[A-Z]+-\d+)/).map((part, at) =>
    at % 2 ? (
      <RulesLink key={at} anchor={part}>
        {part}
      </RulesLink>
    ) : (
      part
    ),
  );
}
