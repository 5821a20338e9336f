/** What happened, in words, the newest last. */

import { useMemo } from "preact/hooks";

import { t } from "../i18n/i18n";
import type { Table } from "../match/table";
import { logOf } from "../match/wording";
import { SeatChip } from "./SeatChip";
import { useTail } from "./tail";

export function Log({ table: { model, names } }: { table: Table }) {
  const entries = useMemo(
    () => logOf(model.past, model.match?.seats.map(({ kind }) => kind) ?? [], names),
    [model.past, model.match, names],
  );
  const list = useTail<HTMLOListElement>(entries.length);
  return (
    <ol class="log" ref={list} tabIndex={0} aria-label={t("Log")}>
      {entries.map((entry) => (
        <li key={entry.key} class={entry.round ? "round" : ""}>
          {entry.seat > 0 && <SeatChip seat={entry.seat} />}
          <span>
            {entry.text}
            {entry.detail && <small>{entry.detail}</small>}
          </span>
        </li>
      ))}
    </ol>
  );
}
