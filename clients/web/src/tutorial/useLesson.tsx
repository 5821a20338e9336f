/** The tutorial at its match: its step over the board, and why an action is not what it wants. */

import type { ComponentChild } from "preact";
import { useRef } from "preact/hooks";

import type { Action } from "../gen/vinci/v1/game_pb";
import { useLater } from "../later";
import type { Table } from "../match/table";
import { isTutorial } from "./current";
import type { Guard } from "./Lesson";

/** Return the table as the tutorial lets one play at it, and the step that is shown; at other matches the table and nothing. */
export function useLesson(table: Table): { readonly table: Table; readonly view: ComponentChild } {
  const { matchId, seat } = table.model;
  const isOn = seat !== 0 && isTutorial(matchId);
  const view = useLater(isOn, () => import("./Lesson"));
  const guard = useRef<Guard>({ objection: () => "" });
  if (!isOn) return { table, view: undefined };
  const objection = (action: Action, isTried?: boolean): string => guard.current.objection(action, isTried);
  return { table: { ...table, objection }, view: view && <view.Lesson table={table} guard={guard.current} /> };
}
