/** What can be done with a match that is over: see it again, and save its record. */

import { useEffect, useState } from "preact/hooks";

import { go } from "../address";
import { failureOf } from "../connection/errors";
import { t } from "../i18n/i18n";
import type { Film } from "./film";
import { filmOf, recordOf } from "./load";

/** Fragment of the address of a match at which it is seen again. */
const REPLAY = "#replay";

/** Return whether the address asks for a match to be seen again. */
export function isReplay(): boolean {
  return location.hash === REPLAY;
}

export function Again({ matchId, show }: { matchId: string; show: (film: Film) => void }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setProblem("");
    work()
      .catch((error: unknown) => setProblem(failureOf(error).text))
      .finally(() => setBusy(false));
  };
  const replay = (): void =>
    run(async () => {
      show(await filmOf(matchId, AbortSignal.timeout(60_000)));
      if (!isReplay()) go(location.pathname + REPLAY);
    });
  useEffect(() => {
    if (isReplay()) replay();
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
      <button disabled={isBusy} onClick={replay}>
        {t("See it again")}
      </button>
      <button disabled={isBusy} onClick={() => run(save)}>
        {t("Save the record")}
      </button>
      {problem && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
