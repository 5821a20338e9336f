/** What happened, in words, the newest last. */

import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";

import { t } from "../i18n/i18n";
import type { Table } from "../match/table";
import { type LogEntry, logOf } from "../match/wording";
import { SeatChip } from "./SeatChip";
import { useTail } from "./tail";

export function Log({ table: { model, names } }: { table: Table }) {
  const entries = useMemo(
    () => logOf(model.past, model.match?.seats.map(({ kind }) => kind) ?? [], names),
    [model.past, model.match, names],
  );
  const list = useTail<HTMLOListElement>(entries.length);
  const drawn = useRef(new Map<string, Drawn>());
  const lines = useMemo(() => {
    // An entry that is drawn already is not compared again: a game has hundreds.
    const before = drawn.current;
    drawn.current = new Map(
      entries.map((entry) => {
        const known = before.get(entry.key);
        return [entry.key, known?.text === entry.text ? known : { text: entry.text, line: <Line key={entry.key} entry={entry} /> }];
      }),
    );
    return Array.from(drawn.current.values(), ({ line }) => line);
  }, [entries]);
  return (
    <ol class="log" ref={list} tabIndex={0} aria-label={t("Log")}>
      {lines}
    </ol>
  );
}

interface Drawn {
  readonly text: string;
  readonly line: VNode;
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
