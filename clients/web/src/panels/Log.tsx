/** What happened, in words, the newest last. */

import { useRef } from "preact/hooks";

import { t } from "../i18n/i18n";
import type { Names } from "../match/names";
import type { Table } from "../match/table";
import { type LogEntry, LogWriter } from "../match/wording";
import { pure } from "../pure";
import { useRows } from "./rows";
import { SeatChip } from "./SeatChip";

export function Log({ table }: { table: Table }) {
  const { entries } = useWriter(table);
  const { frame, list, rows } = useRows(entries.length);
  return (
    <div class="log" ref={frame} role="group" tabIndex={0} aria-label={t("Log")}>
      <ol ref={list} style={{ paddingTop: `${rows.above}px`, paddingBottom: `${rows.below}px` }}>
        {entries.slice(rows.first, rows.end).map((entry, place) => (
          <Line key={entry.key} entry={entry} place={rows.first + place + 1} />
        ))}
      </ol>
    </div>
  );
}

interface Written {
  readonly names: Names;
  readonly past: Table["model"]["past"];
  readonly writer: LogWriter;
}

/** Return the log as it is written. A game has hundreds of entries: those that are known are not written again. */
function useWriter({ model: { past, match }, names }: Table): LogWriter {
  const written = useRef<Written>(undefined);
  const before = written.current;
  if (before?.past === past && before.names === names) return before.writer;
  const known = before?.past.length ?? 0;
  const goesOn = before?.names === names && before.past[0] === past[0] && before.past[known - 1] === past[known - 1];
  const writer = goesOn ? before.writer : new LogWriter(match?.seats.map(({ kind }) => kind) ?? [], names);
  for (const update of goesOn ? past.slice(known) : past) writer.add(update);
  written.current = { names, past, writer };
  return writer;
}

const Line = pure(function Line({ entry: { round, seat, text, detail }, place }: { entry: LogEntry; place: number }) {
  return (
    <li class={round ? "round" : ""} aria-posinset={place}>
      {seat > 0 && <SeatChip seat={seat} />}
      <span>
        {text}
        {detail && <small>{detail}</small>}
      </span>
    </li>
  );
});
