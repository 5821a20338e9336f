/** Where the maker of a match decides about players who are away: loaded when one of them is waited for, or with the menu. */

import { SeatKind } from "../gen/vinci/v1/lobby_pb";
import { useLater } from "../later";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import type { Play } from "./usePlay";

export function AbsentPlace({ table, play, hasMenu }: { table: Table; play: Play; hasMenu: boolean }) {
  const { model } = table;
  const away = (model.match?.seats ?? []).filter(
    (one) => one.seat !== model.seat && one.kind === SeatKind.HUMAN && one.taken && (!one.connected || one.substituted),
  );
  const isShown = away.length > 0 && (hasMenu || away.some(({ seat }) => seat === state(model)?.seatToAct));
  const loaded = useLater(isShown, () => import("./Absent"));
  return loaded ? <loaded.Absent table={table} play={play} seats={away} /> : null;
}
