/** What the server answers about players, the frame around it, and players in words. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { type Failure, failureOf } from "../connection/errors";
import { Frame, Link } from "../frame";
import { type PlayerRating, SeatKind } from "../gen/vinci/v1/lobby_pb";
import { signed, t } from "../i18n/i18n";
import { Access } from "../lobby/Access";
import { NEEDS_ACCESS } from "../lobby/server";
import { label } from "../match/names";

export interface Answered<T> {
  /** The last answer; undefined before the first. */
  readonly answer: T | undefined;
  /** Why the last question failed. */
  readonly failure: Failure | undefined;
  /** Ask again. */
  readonly again: () => void;
}

/** Return what the server answers; it is asked again when `key` changes. */
export function useAnswer<T>(ask: () => Promise<T>, key = 0): Answered<T> {
  const [tries, setTries] = useState(0);
  const [answer, setAnswer] = useState<T>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    let isGone = false;
    ask().then(
      (found) => {
        if (isGone) return;
        setAnswer(found);
        setFailure(undefined);
      },
      (error: unknown) => {
        if (!isGone) setFailure(failureOf(error));
      },
    );
    return () => {
      isGone = true;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` says when another question is asked
  }, [key, tries]);
  return { answer, failure, again: () => setTries(tries + 1) };
}

interface Shown {
  readonly heading: string;
  readonly asked: Answered<unknown>;
  readonly children: ComponentChildren;
}

/** The frame of a page about players: why the server did not answer, and the way to the matches. */
export function PlayersFrame({ heading, asked: { answer, failure, again }, children }: Shown) {
  if (failure && NEEDS_ACCESS.has(failure.reason)) {
    return (
      <Frame name="league players" heading={heading}>
        <Access failure={failure} entered={again} />
      </Frame>
    );
  }
  return (
    <Frame name="league players" heading={heading}>
      {failure ? <p role="alert">{failure.text}</p> : !answer && <p role="status">{t("Connecting …")}</p>}
      {children}
      <p>
        <Link to="/">{t("To the matches")}</Link>
      </p>
    </Frame>
  );
}

interface Named {
  readonly name: string;
  readonly kind: SeatKind;
}

/** The name of a player, which leads to the page of the player if that is one of the list. */
export function Name({ player: { name, kind } }: { player: Named }) {
  const isBot = kind === SeatKind.BOT;
  if (!name) return kind === SeatKind.DUMMY ? t("dummy") : <span class="note">{t("somebody")}</span>;
  return (
    <>
      <Link to={`/players/${isBot ? "bot" : "person"}/${encodeURIComponent(name)}`}>{isBot ? label(name) : name}</Link>
      {isBot && <span class="note"> ({t("computer player")})</span>}
    </>
  );
}

/** Return a rating as a number with its sign, and a question mark if it is provisional. */
export function ratingOf({ value, provisional }: PlayerRating): string {
  return `${signed(Math.round(value))}${provisional ? "?" : ""}`;
}
