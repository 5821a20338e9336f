/** For those who watch: taking over a seat that another terminal or browser offers by a code. */

import { useState } from "preact/hooks";

import { go } from "../address";
import { seatOf, takeFromAddress } from "../connection/access";
import { failureOf } from "../connection/errors";
import { useSettings } from "../frame";
import { t } from "../i18n/i18n";
import { takeOver } from "../lobby/seating";
import type { Table } from "../match/table";

export function Watching({ table: { model, lostSeat, sit } }: { table: Table }) {
  const { settings } = useSettings();
  const [code, setCode] = useState(() => takeFromAddress("take"));
  const [refusal, setRefusal] = useState("");
  const take = async (): Promise<void> => {
    setRefusal("");
    try {
      const matchId = await takeOver(code, settings.name);
      if (matchId === model.matchId) sit(seatOf(matchId));
      else go(`/m/${matchId}`);
    } catch (error) {
      setRefusal(failureOf(error).text);
    }
  };
  return (
    <div class="play">
      {lostSeat > 0 && <p class="lost">{t("Seat {seat} is played elsewhere now. To go on here, let that device hand it over, and type its code.", { seat: lostSeat })}</p>}
      <p class="ask">{t("You are watching.")}</p>
      <details open={code !== ""}>
        <summary>{t("Take over a seat from another device")}</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void take();
          }}
        >
          <label>
            {t("Code of the seat")} <input value={code} required onInput={(event) => setCode(event.currentTarget.value)} />
          </label>
          <button>{t("Take the seat over")}</button>
        </form>
      </details>
      {refusal && (
        <p class="bad" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}
