/** Panes beside the board, in a column or two: some all the time, the others at one place behind tabs. */

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { translated } from "../i18n/i18n";
import type { Table } from "../match/table";
import type { Pane } from "./registry";

/** `children` stand above the panes that are fixed. */
export function Panes({ table, panes, children }: { table: Table; panes: readonly Pane[]; children: ComponentChildren }) {
  const [tab, setTab] = useState(panes.find(({ isFixed }) => !isFixed)?.name ?? "");
  const lines = table.model.chat.length;
  const [read, setRead] = useState(0);
  useEffect(() => {
    if (tab === "chat") setRead(lines);
  }, [tab, lines]);
  const unread = lines - read;
  const drawn = (some: readonly Pane[]) => some.map((pane) => <PaneOf key={pane.name} pane={pane} table={table} tab={tab} />);
  return (
    <div class="side">
      <div class="main">
        {children}
        {drawn(panes.filter(({ isFixed, isBesideDecision }) => isFixed && !isBesideDecision))}
      </div>
      <div class="more">
        {drawn(panes.filter(({ isBesideDecision }) => isBesideDecision))}
        <div class="tabs" role="tablist">
          {panes.map(({ name, title, isFixed }) => (
            <button
              key={name}
              role="tab"
              id={`tab-${name}`}
              aria-selected={tab === name}
              aria-controls={`pane-${name}`}
              class={isFixed ? "fixed" : ""}
              onClick={() => setTab(name)}
            >
              {translated(title)}
              {name === "chat" && unread > 0 && <span class="unread">{unread}</span>}
            </button>
          ))}
        </div>
        {drawn(panes.filter(({ isFixed }) => !isFixed))}
      </div>
    </div>
  );
}

function PaneOf({ pane: { name, title, isFixed, View }, table, tab }: { pane: Pane; table: Table; tab: string }) {
  const drawn = useRef<VNode>(undefined);
  if (isFixed || tab === name) drawn.current = <View table={table} />;
  return (
    <section
      id={`pane-${name}`}
      class={`pane ${name}-pane${isFixed ? " fixed" : ""}${tab === name ? " chosen" : ""}`}
      aria-label={translated(title)}
    >
      <h2>{translated(title)}</h2>
      {drawn.current /* what is behind another tab stays as it was last seen: nothing of it is drawn */}
    </section>
  );
}
