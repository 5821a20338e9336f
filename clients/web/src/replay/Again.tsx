/** What can be done with a match that is over: see it again, and save its record. */

import { useState } from "preact/hooks";

import { failureOf } from "../connection/errors";
import { t } from "../i18n/i18n";
import type { Film } from "./film";
import { filmOf, recordOf } from "./load";

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
  const save = async (): Promise<void> => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await recordOf(matchId)], { type: "application/jsonl" }));
    link.download = `${matchId}.jsonl`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div class="again">
      <button
        disabled={isBusy}
        onClick={() => run(async () => show(await filmOf(matchId, AbortSignal.timeout(60_000))))}
      >
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
