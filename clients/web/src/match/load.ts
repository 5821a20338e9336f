/** What the page of a match loads once: the board, its drawing, traits; and the history from before it opened. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { dropSeat, keepSeat, type Seat, seatOf } from "../connection/access";
import { lobby, matches, plain } from "../connection/clients";
import { type Failure, failureOf } from "../connection/errors";
import { resumed } from "../connection/person";
import { share } from "../connection/shared";
import { watch } from "../connection/watch";
import type { BoardMap, Update } from "../gen/vinci/v1/game_pb";
import { initial, isFinished, newest } from "./model";
import { Names } from "./names";
import { createStore, type Store } from "./store";

/** Reasons of refusals that mean that a seat no longer belongs to this tab. */
const LOST_SEAT: ReadonlySet<string> = new Set(["TOKEN_CHANGED", "BAD_TOKEN"]);

/** Milliseconds after which the drawing is asked for again when the server could not be reached. */
const RETRY = 1_000;

/** The drawing and the names of a match. */
export interface Material {
  readonly map: BoardMap;
  readonly names: Names;
}

/** Load drawing and names of the board of a match. */
export async function loadMaterial(board: string): Promise<Material> {
  const [shapes, provinces, rules] = await Promise.all([
    lobby.getBoardMap({ name: board }, plain),
    lobby.getBoard({ name: board }, plain),
    lobby.listTraits({}, plain),
  ]);
  if (!shapes.map || !provinces.board) throw new Error(`the server sent no board ${board}`);
  return { map: shapes.map, names: new Names(provinces.board, rules) };
}

/** Return what happened up to a revision: all, without positions, or from another revision on, with them. */
export async function loadHistory(matchId: string, to: bigint, from?: bigint): Promise<readonly Update[]> {
  const updates: Update[] = [];
  const stream = new AbortController();
  try {
    for await (const { kind } of matches.watch({ matchId, fromRevision: from ?? 0n, state: from !== undefined }, { signal: stream.signal })) {
      if (kind.case !== "update") continue;
      updates.push(kind.value);
      if (kind.value.revision >= to) break;
    }
  } finally {
    stream.abort();
  }
  return updates;
}

/** A match that this page follows. */
export interface Followed {
  readonly store: Store;
  readonly seat: Seat | undefined;
  readonly material: Material | undefined;
  readonly failure: Failure | undefined;
  /** Why the server refuses the stream; `again` asks for it once more. */
  readonly refusal: Failure | undefined;
  readonly again: () => void;
  /** The seat that was taken over elsewhere while it was played here; 0 if none was. */
  readonly lostSeat: number;
  /** Play with another seat, or with none. */
  readonly sit: (seat: Seat | undefined) => void;
}

/** Follow a match with the seat of this tab, if it has one, as long as the component is shown. */
export function useMatch(matchId: string): Followed {
  const [{ seat, lostSeat }, setOwn] = useState(() => ({ seat: seatOf(matchId), lostSeat: 0 }));
  const [material, setMaterial] = useState<Material>();
  const [failure, setFailure] = useState<Failure>();
  const [refusal, setRefusal] = useState<Failure>();
  const [tries, setTries] = useState(0);
  const sit = useCallback((seat: Seat | undefined, lostSeat = 0) => setOwn({ seat, lostSeat }), []);
  const store = useRef<Store>(undefined);
  store.current ??= createStore(initial(matchId, seat?.seat ?? 0));
  const { model, dispatch, subscribe } = store.current;

  useEffect(() => {
    dispatch({ kind: "seated", seat: seat?.seat ?? 0 });
    return share(
      watch,
      matchId,
      seat?.token,
      () => {
        const last = newest(model())?.revision;
        return {
          fromRevision: last === undefined ? undefined : last + 1n,
          chatAfter: model().chat.at(-1)?.number ?? 0n,
          isOver: isFinished(model()),
        };
      },
      {
        received: (response) => dispatch({ kind: "received", response, at: performance.now() }),
        lost: () => dispatch({ kind: "lost" }),
        rewound: () => dispatch({ kind: "rewound" }),
        refused: (refusal) => {
          if (seat && LOST_SEAT.has(refusal.reason)) {
            dropSeat(matchId);
            sit(undefined, seat.seat);
          } else {
            setRefusal(refusal);
            dispatch({ kind: "refused", text: refusal.text });
          }
        },
      },
    );
  }, [matchId, seat, tries, model, dispatch, sit]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const resume = async (): Promise<void> => {
      if (seatOf(matchId)) return;
      const own = await resumed(matchId).catch(() => undefined); // one watches, and can take the seat by a code
      if (isGone || !own || seatOf(matchId)) return;
      keepSeat(matchId, own);
      sit(own);
    };
    const seated = resume(); // the person may have taken a seat on another device
    const load = async (): Promise<void> => {
      try {
        const { match } = await lobby.getMatch({ matchId }, plain);
        const loaded = await loadMaterial(match?.board ?? "");
        await seated; // before the table is shown, which would say that one is watching
        if (!isGone) setMaterial(loaded);
      } catch (error) {
        if (isGone) return;
        const failed = failureOf(error);
        if (failed.isGone) timer = setTimeout(() => void load(), RETRY);
        else setFailure(failed);
      }
    };
    void load();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [matchId, tries, sit]);

  // The history is only needed for log and curve: it waits until the board is there.
  const hasMaterial = material !== undefined;
  useEffect(() => {
    if (!hasMaterial) return undefined;
    let isLoading = false;
    const load = (): void => {
      const first = model().past[0]?.revision;
      if (first === undefined || first === 0n || isLoading) return;
      isLoading = true;
      loadHistory(matchId, first - 1n).then(
        (updates) => dispatch({ kind: "history", updates }),
        () => (isLoading = false), // the next change of the match tries again
      );
    };
    load();
    return subscribe(load);
  }, [matchId, hasMaterial, model, dispatch, subscribe]);

  const again = useCallback(() => {
    setRefusal(undefined);
    setFailure(undefined);
    setTries((count) => count + 1);
  }, []);
  return { store: store.current, seat, material, failure, refusal, again, lostSeat, sit };
}
