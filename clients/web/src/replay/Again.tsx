/** What can be done with a match that is over: see it again, review it, and save its record. */

import { useEffect, useState } from "preact/hooks";

import { go, isReplay, REPLAY, REVIEW } from "../address";
import { failureOf } from "../connection/errors";
import { t } from "../i18n/i18n";
import { useServerInfo } from "../lobby/server";
import type { Film } from "./film";
import { filmOf, recordOf } from "./load";

export function Again({ matchId, show }: { matchId: string; show: (film: Film) => void }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const hasReviews = useServerInfo(0)?.reviews;
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setProblem("");
    work()
      .catch((error: unknown) => setProblem(failureOf(error).text))
      .finally(() => setBusy(false));
  };
  const replay = (fragment: string): void =>
    run(async () => {
      show(await filmOf(matchId, AbortSignal.timeout(60_000)));
      if (location.hash !== fragment) go(location.pathname + fragment);
    });
  useEffect(() => {
    if (isReplay()) replay(location.hash);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, for an address that was opened or loaded again
  }, []);
  const save = async (): Promise<void> => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await recordOf(matchId)], { type: "application/jsonl" }));
    link.download = `${matchId}.jsonl`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div class="again">
      <button disabled={isBusy} onClick={() => replay(REPLAY)}>
        {t("See it again")}
      </button>
      {hasReviews && (
        <button disabled={isBusy} onClick={() => replay(REVIEW)}>
          {t("Review this game")}
        </button>
      )}
      <button disabled={isBusy} onClick={() => run(save)}>
        {t("Save the game as a file")}
      </button>
      {problem && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
