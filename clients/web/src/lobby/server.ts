/** What the lobby reads from the server: what it offers, and its matches, kept fresh as long as they are shown. */

import { create } from "@bufbuild/protobuf";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { keepBeyondTab, seatOf } from "../connection/access";
import { lobby, plain } from "../connection/clients";
import { type Failure, failureOf } from "../connection/errors";
import { revealDue } from "../draws/reveal";
import { type GetServerInfoResponse, type Match, MatchStatus, type OwnMatch, OwnMatchSchema } from "../gen/vinci/v1/lobby_pb";
import { isListed } from "./words";

const PAGE = 30;
const FRESH_MILLISECONDS = 3_000;
/** Own matches that are over and still stand above the others. */
const MOST_OVER = 3;

let known: GetServerInfoResponse | undefined;

/** Return what the server offers; undefined until it has answered. It is asked again when `tries` changes. */
export function useServerInfo(tries: number): GetServerInfoResponse | undefined {
  const [info, setInfo] = useState(known);
  useEffect(() => {
    lobby.getServerInfo({ matchFields: true }, plain).then(
      (answer) => {
        keepBeyondTab(answer.persons);
        setInfo((known = answer));
      },
      () => undefined, // the list of matches tells why
    );
  }, [tries]);
  return info;
}

interface Found {
  /** Matches of the person or guest here, those first in which it is the person's move, and after them the latest that are over. */
  readonly own: readonly OwnMatch[];
  /** Other matches: open ones, then running ones, then those over, the newest first. */
  readonly matches: readonly Match[];
  readonly hasMore: boolean;
}

export interface Matches {
  /** What was found; undefined before the first answer. */
  readonly found: Found | undefined;
  /** Why the last question failed; what is known is then old. */
  readonly failure: Failure | undefined;
  /** Show more matches. */
  readonly more: () => void;
}

/** Return the matches of a status, asked for again and again while the page is seen, and when `tries` changes. */
export function useMatches(status: MatchStatus, tries: number): Matches {
  const [pages, setPages] = useState(1);
  const [found, setFound] = useState<Found>();
  const [failure, setFailure] = useState<Failure>();
  const shown = useRef("");

  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") {
        try {
          const answer = await read(status, pages);
          if (isGone) return;
          const fresh = JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
          if (fresh !== shown.current) setFound(answer);
          shown.current = fresh;
          setFailure(undefined);
        } catch (error) {
          if (isGone) return;
          const failed = failureOf(error);
          setFailure(failed);
          if (NEEDS_ACCESS.has(failed.reason)) return; // until somebody types it
        }
      }
      timer = setTimeout(() => void ask(), FRESH_MILLISECONDS);
    };
    const seen = (): void => {
      if (document.visibilityState === "visible") void ask();
    };
    void ask();
    document.addEventListener("visibilitychange", seen);
    return () => {
      isGone = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [status, pages, tries]);

  const more = useCallback(() => setPages((count) => count + 1), []);
  return { found, failure, more };
}

/** Reasons of refusals that ask for the join code or password. */
export const NEEDS_ACCESS: ReadonlySet<string> = new Set(["NO_ACCESS", "BAD_ACCESS"]);

async function read(status: MatchStatus, pages: number): Promise<Found> {
  const matches: Match[] = [];
  const own: OwnMatch[] = [];
  let pageToken = "";
  for (let page = 0; page < pages; page++) {
    const answer = await lobby.listMatches({ pageSize: PAGE, pageToken, status }, plain);
    matches.push(...answer.matches.filter(isListed));
    own.push(...answer.own.filter(({ match }) => match && isListed(match)));
    for (const match of answer.matches) revealDue(match, false); // of a seat whose page is not open
    pageToken = answer.nextPageToken;
    if (!pageToken) break;
  }
  const ids = new Set(own.map(({ match }) => match?.matchId));
  const others = matches.filter(({ matchId }) => !ids.has(matchId)).sort((one, other) => one.status - other.status);
  // seats of a guest, of whom the server knows no person, and of games that are over
  const held = others.filter(({ matchId }) => seatOf(matchId));
  const over = held.filter(({ status, ranks }) => status === MatchStatus.OVER && ranks.length > 0).slice(0, MOST_OVER);
  const kept = [...held.filter(({ status }) => status < MatchStatus.OVER), ...over];
  own.push(...kept.map((match) => create(OwnMatchSchema, { match, seat: seatOf(match.matchId)?.seat ?? 0 })));
  return { own, matches: others.filter((match) => !kept.includes(match)), hasMore: pageToken !== "" };
}
