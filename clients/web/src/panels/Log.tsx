/** What happened, in words, the newest last. */

import type { VNode } from "preact";
import { useRef } from "preact/hooks";

import { t } from "../i18n/i18n";
import type { Names } from "../match/names";
import type { Table } from "../match/table";
import { type LogEntry, LogWriter } from "../match/wording";
import { SeatChip } from "./SeatChip";
import { useTail } from "./tail";

export function Log({ table }: { table: Table }) {
  const lines = useLines(table);
  const list = useTail<HTMLOListElement>(lines.length);
  return (
    <ol class="log" ref={list} tabIndex={0} aria-label={t("Log")}>
      {lines}
    </ol>
  );
}

interface Written {
  readonly names: Names;
  readonly past: Table["model"]["past"];
  readonly writer: LogWriter;
  readonly lines: readonly VNode[];
}

/** Return the lines of the log. A game has hundreds: those that are known are neither written nor compared again. */
function useLines({ model: { past, match }, names }: Table): readonly VNode[] {
  const written = useRef<Written>(undefined);
  const before = written.current;
  if (before?.past === past && before.names === names) return before.lines;
  const known = before?.past.length ?? 0;
  const goesOn = before?.names === names && before.past[0] === past[0] && before.past[known - 1] === past[known - 1];
  const writer = goesOn ? before.writer : new LogWriter(match?.seats.map(({ kind }) => kind) ?? [], names);
  for (const update of goesOn ? past.slice(known) : past) writer.add(update);
  const old = goesOn ? before.lines : [];
  const lines = [...old, ...writer.entries.slice(old.length).map((entry) => <Line key={entry.key} entry={entry} />)];
  written.current = { names, past, writer, lines };
  return lines;
}

function Line({ entry: { round, seat, text, detail } }: { entry: LogEntry }) {
  return (
    <li class={round ? "round" : ""}>
      {seat > 0 && <SeatChip seat={seat} />}
      <span>
        {text}
        {detail && <small>{detail}</small>}
      </span>
    </li>
  );
}
