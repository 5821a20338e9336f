/** A recorded game, from a file or of a league, which the server checks and turns into positions. Nothing of it is kept. */

import "../lobby/lobby.css";
import "./replay.css";

import { useEffect, useState } from "preact/hooks";

import { type Failure, failureOf } from "../connection/errors";
import { Frame, Link } from "../frame";
import { t } from "../i18n/i18n";
import { Access } from "../lobby/Access";
import { NEEDS_ACCESS } from "../lobby/server";
import { loadMaterial, type Material } from "../match/load";
import { type Film, linesOf } from "./film";
import { fileOfGame, filmOfRecord } from "./load";
import { Replay } from "./Replay";

/** Most bytes of a record: those of a message, less some for its frame. */
const MOST_BYTES = 1_000_000;
/** End of the name of a file with the notes of bots, which can be opened with a record. */
const NOTES = ".notes.json";

interface Shown {
  readonly film: Film;
  readonly material: Material;
  readonly fault: string;
}

export default function ReplayPage({ parts: [game = ""] }: { parts: readonly string[] }) {
  const home = game ? "/league" : "/";
  const [shown, setShown] = useState<Shown>();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);

  const show = async (name: string, ...texts: Promise<string | undefined>[]): Promise<void> => {
    setBusy(true);
    try {
      const [record, notes] = await Promise.all(texts);
      if (record === undefined) {
        setProblem(t("There is no such page."));
      } else {
        const { film, fault } = await filmOfRecord(name, linesOf(record), notes);
        const material = await loadMaterial(film.match.board);
        setShown({ film, material, fault: fault ? failureOf(fault).text : "" });
      }
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  const open = (files: readonly File[]): void => {
    const notes = files.find(({ name }) => name.endsWith(NOTES));
    const chosen = files.find((one) => one !== notes) ?? notes;
    if (!chosen) return;
    setFiles(files);
    setFailure(undefined);
    setProblem("");
    if (chosen.size > MOST_BYTES) {
      setProblem(t("{file} is too large for a record: it has more than {most} kB.", { file: chosen.name, most: MOST_BYTES / 1000 }));
      return;
    }
    void show(chosen.name.replace(/\.jsonl?$/, ""), chosen.text(), ...(notes ? [notes.text()] : []));
  };
  useEffect(() => {
    if (game) void show(game, fileOfGame(`${game}.jsonl`), fileOfGame(game + NOTES));
  }, [game]);

  if (shown) {
    return (
      <Frame name="match replay" home={home} heading={game ? `${t("League")} · ${game}` : shown.film.match.matchId}>
        <Replay film={shown.film} material={shown.material}>
          {shown.fault && (
            <p class="wrong" role="alert">
              {t("The record breaks off after the last step.")} {shown.fault}
            </p>
          )}
          <p>{game ? <Link to={home}>{t("League")}</Link> : <button onClick={() => setShown(undefined)}>{t("Another file …")}</button>}</p>
        </Replay>
      </Frame>
    );
  }
  const messages = (
    <>
      <p role="status">{isBusy && t("One moment …")}</p>
      {(problem || failure) && (
        <p class="wrong" role="alert">
          {problem || failure?.text}
        </p>
      )}
    </>
  );
  return (
    <Frame name="lobby" home={home} heading={t("Replay")}>
      {game ? (
        messages
      ) : failure && NEEDS_ACCESS.has(failure.reason) ? (
        <Access failure={failure} entered={() => open(files)} />
      ) : (
        <section
          class={`card drop${isOver ? " over" : ""}`}
          aria-labelledby="drop"
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            open([...(event.dataTransfer?.files ?? [])]);
          }}
        >
          <h2 id="drop">{t("See a game again that was played, step by step.")}</h2>
          <p>{t("Drop the file of a record here (.jsonl), or choose it. The server checks it and keeps nothing.")}</p>
          <label>
            {t("File of a record")}
            <input
              type="file"
              accept=".jsonl,.json,.txt"
              multiple
              disabled={isBusy}
              onChange={(event) => {
                open([...(event.currentTarget.files ?? [])]);
              }}
            />
          </label>
          {messages}
        </section>
      )}
    </Frame>
  );
}
