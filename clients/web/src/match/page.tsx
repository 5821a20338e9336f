/** The page of a match: the board, and panes beside it. */

import "../panels/panels.css";
import "./match.css";

import { useEffect, useMemo, useState } from "preact/hooks";

import { go, isReplay, onAddress } from "../address";
import { Board } from "../board/Board";
import { Frame, Link, lostText, useSettings } from "../frame";
import { MatchStatus } from "../gen/vinci/v1/lobby_pb";
import { t } from "../i18n/i18n";
import { useLater } from "../later";
import { Access } from "../lobby/Access";
import { NEEDS_ACCESS } from "../lobby/server";
import { Panes } from "../panels/Panes";
import { PANES } from "../panels/registry";
import { Turn } from "../panels/Turn";
import { useDecision } from "../play/useDecision";
import type { Film } from "../replay/film";
import { useLesson } from "../tutorial/useLesson";
import { useMatch } from "./load";
import { isFinished } from "./model";
import { usePace } from "./pace";
import { isComplete } from "./selectors";
import { useModel } from "./store";
import type { Table } from "./table";

export default function MatchPage({ parts: [matchId = ""] }: { parts: readonly string[] }) {
  const { settings } = useSettings();
  const { store, seat, material, failure, refusal, again, lostSeat, sit } = useMatch(matchId);
  const model = useModel(store);
  const [film, setFilm] = useState<Film>();
  const [replays, setReplays] = useState(isReplay);
  useEffect(() => onAddress(() => setReplays(isReplay())), []);
  const Replay = useLater(film !== undefined, () => import("../replay/Replay"))?.Replay;
  const room = useLater(model.match?.status === MatchStatus.OPEN, () => import("../lobby/WaitingRoom"));
  const { dispatch } = store;
  usePace(store, settings.pace);

  const players = model.match?.seats.map(({ kind, player }) => `${kind} ${player}`).join("\n");
  // eslint-disable-next-line react-hooks/exhaustive-deps -- of a match only players and kinds of seats have to do with names
  const names = useMemo(() => material?.names.of(model.match, model.seat), [material, players, model.seat]);
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
            {failure && (
              <p>
                <Link to="/">{t("To the matches")}</Link>
              </p>
            )}
            {room && model.match && <room.WaitingRoom match={model.match} seat={seat} sit={sit} />}
          </>
        )}
      </Frame>
    );
  }
  const table: Table = { model, names, map: material.map, dispatch, token: seat?.token, lostSeat, sit };
  if (film && replays && Replay) {
    return (
      <Frame name="match replay" heading={heading}>
        <Replay film={film} material={material} seat={model.seat}>
          <p>
            <button onClick={() => go(location.pathname)}>{t("Back to the end of the match")}</button>
          </p>
        </Replay>
      </Frame>
    );
  }
  return <TableView table={table} heading={heading} problem={problem} show={setFilm} />;
}

/** The board with the decision at hand and the panes beside it. */
function TableView({ table: own, heading, problem, show }: { table: Table; heading: string; problem: string; show: (film: Film) => void }) {
  const { table, view: lesson } = useLesson(own);
  const { model } = table;
  const isOver = isFinished(model) && model.waiting.length === 0;
  const decision = useDecision(table);
  const ending = useLater(isOver, () => import("../replay/Again"));
  const isStale = !isFinished(model) && (model.connection !== "open" || !isComplete(model));
  return (
    <Frame name={`match${isStale ? " stale" : ""}`} heading={heading}>
      <div class="stage">
        {isStale && (
          <p class="lost" role="alert">
            {problem || lostText()}
          </p>
        )}
        <Board table={table} marks={decision.marks} activate={decision.activate} recap={decision.attacks} />
        {table.objection ? lesson : decision.hint}
      </div>
      <Panes table={table} panes={PANES}>
        <Turn table={table} />
        <section class="pane decision" aria-label={t("Decision")}>
          {ending && <ending.Again matchId={model.matchId} show={show} />}
          {decision.view}
        </section>
      </Panes>
    </Frame>
  );
}
