/** Where hints for a first game are shown, which are loaded for who has not finished one in this browser. */

import { useEffect } from "preact/hooks";

import { useSettings } from "../frame";
import { Phase } from "../gen/vinci/v1/game_pb";
import { useLater } from "../later";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { isOfTutorial } from "../tutorial/current";
import { isNewcomer, keepFinished } from "../tutorial/hints";
import type { Play } from "./usePlay";

export function HintPlace({ table, play }: { table: Table; play: Play }) {
  const { model } = table;
  const { settings } = useSettings();
  const isFinished = model.seat !== 0 && state(model)?.phase === Phase.OVER;
  const isGame = model.match !== undefined && !isOfTutorial(model.match);
  useEffect(() => {
    if (isFinished && isGame) keepFinished();
  }, [isFinished, isGame]);
  const isWanted = settings.hints && model.seat !== 0 && !isFinished && isNewcomer();
  const loaded = useLater(isWanted, () => import("./Hint"));
  return loaded ? <loaded.Hint table={table} play={play} /> : null;
}
