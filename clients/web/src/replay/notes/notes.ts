/** The notes of bots about a recorded game, from the lines of the file beside its record (docs/record.md). */

import { type Film, linesOf } from "../film";

/** A note in lines: value and text, then other answers; at least one. */
export interface Note {
  readonly seat: number;
  readonly lines: readonly string[];
}

/** Return the notes by the revision that the first action of the answer made, and how many lines are no notes of this game. */
export function notesOf(text: string, film: Film): { readonly notes: ReadonlyMap<bigint, Note>; readonly wrong: number } {
  const seats = new Map(film.updates.map(({ revision, seat }) => [revision, seat]));
  const notes = new Map<bigint, Note>();
  const lines = linesOf(text);
  for (const line of lines) {
    try {
      const { n, seat, note } = JSON.parse(line) as { n: number; seat: number; note: { text?: unknown; value?: unknown; lines?: unknown } };
      if (seat < 1 || seats.get(BigInt(n)) !== seat) continue;
      const others = Array.isArray(note.lines) ? note.lines.map(String) : [];
      const first = [note.value, note.text].filter((part) => typeof part === "string" || typeof part === "number").join("  ");
      notes.set(BigInt(n), { seat, lines: [first, ...others].filter(Boolean) });
    } catch {
      // it is counted below
    }
  }
  return { notes, wrong: lines.length - notes.size };
}
