/** The page of a match: the board, and panes beside it. */

import "./match.css";

import { useEffect, useMemo, useState } from "preact/hooks";

import { Board } from "../board/Board";
import { Frame, useSettings } from "../frame";
import { MatchStatus } from "../gen/vinci/v1/lobby_pb";
import { t, translated } from "../i18n/i18n";
import { Access } from "../lobby/Access";
import { NEEDS_ACCESS } from "../lobby/server";
import { WaitingRoom } from "../lobby/WaitingRoom";
import { type Pane, PANES, useDecision } from "../panels/registry";
import { Turn } from "../panels/Turn";
import { useMatch } from "./load";
import { isFinished } from "./model";
import { isComplete } from "./selectors";
import { useModel } from "./store";
import type { Table } from "./table";

/** Updates that may wait before they are shown faster than the pace, so that the board never falls far behind. */
const FEW = 8;
/** Updates from which on all but the latest are skipped. */
const MANY = 60;

export default function MatchPage({ parts: [matchId = ""] }: { parts: readonly string[] }) {
  const { settings } = useSettings();
  const { store, seat, material, failure, refusal, again, sit } = useMatch(matchId);
  const model = useModel(store);
  const { dispatch } = store;
  const waiting = model.waiting.length;
  const shown = model.shown?.revision;

  useEffect(() => {
    if (waiting === 0) return undefined;
    if (settings.pace === 0 || waiting > MANY) {
      dispatch({ kind: "showAll" });
      return undefined;
    }
    const timer = setTimeout(() => dispatch({ kind: "showNext" }), settings.pace / Math.max(1, waiting / FEW));
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- updates that arrive meanwhile do not delay the next one
  }, [shown, waiting > 0, waiting > MANY, settings.pace, dispatch]);

  const names = useMemo(() => material?.names.of(model.match), [material, model.match]);
  const heading = t("Match {id}", { id: matchId });
  const problem = failure?.text ?? model.refusal;
  if (!material || !names || !model.match || !model.shown) {
    return (
      <Frame name="room-page" heading={heading}>
        {refusal && NEEDS_ACCESS.has(refusal.reason) ? (
          <Access failure={refusal} entered={again} />
        ) : (
          <>
            {(problem || model.connection !== "open") && <p role="status">{problem || t("Connecting …")}</p>}
            {model.match?.status === MatchStatus.OPEN && <WaitingRoom match={model.match} seat={seat} sit={sit} />}
          </>
        )}
      </Frame>
    );
  }
  const table: Table = { model, names, map: material.map, dispatch, token: seat?.token, sit };
  return <TableView table={table} heading={heading} problem={problem} />;
}

/** The board with the decision at hand and the panes beside it. */
function TableView({ table, heading, problem }: { table: Table; heading: string; problem: string }) {
  const { model } = table;
  const [tab, setTab] = useState("log");
  const lines = model.chat.length;
  const [read, setRead] = useState(0);
  useEffect(() => {
    if (tab === "chat") setRead(lines);
  }, [tab, lines]);
  const unread = lines - read;
  const decision = useDecision(table);
  const isStale = !isFinished(model) && (model.connection !== "open" || !isComplete(model));
  return (
    <Frame name={`match${isStale ? " stale" : ""}`} heading={heading}>
      <div class="stage">
        {isStale && (
          <p class="lost" role="alert">
            {problem || t("The connection is lost: what is shown may be old. Connecting …")}
          </p>
        )}
        <Board table={table} marks={decision.marks} activate={decision.activate} />
      </div>
      <div class="side">
        <div class="main">
          <Turn table={table} />
          <section class="pane decision" aria-label={t("Decision")}>
            {decision.view}
          </section>
          {PANES.filter(({ isFixed }) => isFixed).map((pane) => (
            <PaneOf key={pane.name} pane={pane} table={table} tab={tab} />
          ))}
        </div>
        <div class="more">
          <div class="tabs" role="tablist">
            {PANES.map(({ name, title, isFixed }) => (
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
          {PANES.filter(({ isFixed }) => !isFixed).map((pane) => (
            <PaneOf key={pane.name} pane={pane} table={table} tab={tab} />
          ))}
        </div>
      </div>
    </Frame>
  );
}

function PaneOf({ pane: { name, title, isFixed, View }, table, tab }: { pane: Pane; table: Table; tab: string }) {
  return (
    <section
      id={`pane-${name}`}
      class={`pane ${name}-pane${isFixed ? " fixed" : ""}${tab === name ? " chosen" : ""}`}
      aria-label={translated(title)}
    >
      <h2>{translated(title)}</h2>
      <View table={table} />
    </section>
  );
}
