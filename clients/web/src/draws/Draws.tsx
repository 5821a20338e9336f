/** What the check of the draws has found, at the end of a game that was played here. */

import { useEffect, useState } from "preact/hooks";

import { failureOf } from "../connection/errors";
import { t } from "../i18n/i18n";
import type { Model } from "../match/model";
import { filmOf, recordOf } from "../replay/load";
import type { Verdict } from "./check";
import { pledgeOf } from "./pledges";
import { told, unchecked } from "./words";

const MILLISECONDS = 120_000;

type Found = { readonly verdict: Verdict | undefined } | { readonly failure: string };

/** Check the draws of a game that is over. */
export default function Draws({ model }: { model: Model }) {
  const { matchId, seat } = model;
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const stop = new AbortController();
    const work = async (): Promise<Found> => {
      const { check } = await import("./check");
      const pledge = pledgeOf(matchId, seat);
      if (!pledge?.commitment) return { verdict: check(pledge, seat, [], [], []) };
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(MILLISECONDS)]);
      const [record, film] = await Promise.all([recordOf(matchId), filmOf(matchId, signal)]);
      return { verdict: check(pledge, seat, record.trimEnd().split("\n"), film.updates, model.past) };
    };
    work()
      .catch((error: unknown) => ({ failure: failureOf(error).text }))
      .then((result) => {
        if (!stop.signal.aborted) setFound(result);
      }, () => undefined);
    return () => stop.abort();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once: a game that is over does not change
  }, [matchId, seat]);
  if (!found) return <p role="status">{t("Checking the draws …")}</p>;
  if ("failure" in found) return <p role="status">{unchecked(found)}</p>;
  const { verdict } = found;
  if (!verdict) return null;
  const [first, ...others] = told(verdict);
  if (verdict.kind === "fault") {
    return (
      <p class="bad" role="alert">
        {first}
      </p>
    );
  }
  return (
    <div class="draws" role="status">
      <small>
        {others.length === 0 ? (
          first
        ) : (
          <details open={"voided" in verdict && verdict.voided > 0}>
            <summary>{first}</summary>
            {others.join(" ")}
          </details>
        )}
      </small>
    </div>
  );
}
