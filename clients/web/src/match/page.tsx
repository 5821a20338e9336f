/** The page of a match: the board, and panes beside it. */

import { useEffect } from "preact/hooks";

import { Frame, useSettings } from "../frame";
import { t, translated } from "../i18n/i18n";
import { DECISION, PANES } from "../panels/registry";
import { useMatch } from "./load";
import { isComplete } from "./selectors";
import { useModel } from "./store";
import type { Table } from "./table";

export default function MatchPage({ parts: [matchId = ""] }: { parts: readonly string[] }) {
  const { settings } = useSettings();
  const { store, seat, material, failure } = useMatch(matchId);
  const model = useModel(store);
  const waits = model.waiting.length > 0;

  useEffect(() => {
    if (!waits) return undefined;
    if (settings.pace === 0) {
      store.dispatch({ kind: "showAll" });
      return undefined;
    }
    const timer = setInterval(() => store.dispatch({ kind: "showNext" }), settings.pace);
    return () => clearInterval(timer);
  }, [waits, settings.pace, store]);

  const heading = t("Match {id}", { id: matchId });
  const problem = failure?.text ?? model.refusal;
  if (!material || !model.match || !model.shown) {
    return (
      <Frame name="match" heading={heading}>
        <p role="status">{problem || (model.match && material ? t("The game has not started yet.") : t("Connecting …"))}</p>
      </Frame>
    );
  }
  const table: Table = {
    model,
    names: material.names.of(model.match),
    map: material.map,
    dispatch: store.dispatch,
    token: seat?.token,
  };
  const isStale = model.connection !== "open" || !isComplete(model);
  return (
    <Frame name="match" heading={heading}>
      {isStale && (
        <p class="lost" role="alert">
          {problem || t("The connection is lost: what is shown may be old. Connecting …")}
        </p>
      )}
      <div class="panes">
        {[...(DECISION ? [DECISION] : []), ...PANES].map(({ name, title, View }) => (
          <section key={name} class={`pane ${name}`} aria-label={translated(title)}>
            <h2>{translated(title)}</h2>
            <View table={table} />
          </section>
        ))}
      </div>
    </Frame>
  );
}
