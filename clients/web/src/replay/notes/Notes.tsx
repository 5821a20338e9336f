/** What a bot noted about the step that is shown. Loaded for a record that has notes beside it. */

import { useMemo } from "preact/hooks";

import { t } from "../../i18n/i18n";
import type { Names } from "../../match/names";
import type { Film } from "../film";
import { notesOf } from "./notes";

export default function Notes({ film, names, step }: { film: Film; names: Names; step: number }) {
  const { notes, wrong } = useMemo(() => notesOf(film.notes ?? "", film), [film]);
  const note = notes.get(film.updates[step]?.revision ?? 0n);
  const [first = "", ...others] = note?.lines ?? [];
  return (
    <>
      {wrong > 0 && (
        <p class="wrong" role="alert">
          {t("Lines that are no notes of this game: {n}", { n: wrong })}
        </p>
      )}
      <p style={{ minHeight: "3em" }}>
        {note && <i>{t("{who} notes: {text}", { who: names.seat(note.seat), text: first })}</i>}
        {others.map((line) => (
          <>
            <br />
            {line}
          </>
        ))}
      </p>
    </>
  );
}
