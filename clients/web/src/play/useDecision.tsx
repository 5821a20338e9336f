/** The decision of the page of a match: its pane, its marks on the board, and its keys. */

import type { ComponentChild } from "preact";

import type { Attack } from "../match/attacks";
import { type Marks, NO_MARKS } from "../match/marks";
import type { Table } from "../match/table";
import { marksOf } from "./choice";
import { DecisionPane } from "./DecisionPane";
import { HintPlace } from "./HintPlace";
import { add, places } from "./plan";
import { useKeys } from "./useKeys";
import { type Decision, usePlay } from "./usePlay";
import { useRecap } from "./useRecap";

/** The decision at hand: its pane, and how the board takes part in it. */
export interface ShownDecision {
  readonly view: ComponentChild;
  /** A hint for a first game, over the board. */
  readonly hint: ComponentChild;
  /** What is marked on the board. */
  readonly marks: Marks;
  /** Act on the selected province, which is tapped again; undefined if nothing can be done with it. */
  readonly activate: ((province: string) => void) | undefined;
  /** Attacks to show by arrows instead of those of the move that is shown. */
  readonly attacks: readonly Attack[] | undefined;
}

/** Return what is shown of the decision at hand, which stands at the same place always: below the scores, on a phone in a sheet from below. */
export function useDecision(table: Table): ShownDecision {
  const played = usePlay(table);
  const { decision } = played;
  const { selected } = table.model;
  const recap = useRecap(table, decision?.choice);
  const play = {
    ...played,
    suggest: () => {
      if (recap.isShown) recap.toggle(); // it would take the room
      played.suggest();
    },
  };
  useKeys(table, play, recap.toggle);
  return {
    marks: decision ? marksOf(decision.choice, selected, decision.legal, lostBy(decision)) : NO_MARKS,
    activate: decision && activation(decision, selected, play.act),
    attacks: recap.attacks,
    view: <DecisionPane table={table} play={play} recap={recap} />,
    hint: <HintPlace table={table} play={play} />,
  };
}

/** Return what a second tap on the selected province does: place a pawn, or play the action that concerns it. */
function activation({ choice, legal, action, choose }: Decision, selected: string, act: () => void): (() => void) | undefined {
  const { plan } = choice;
  if (plan && places(plan, legal).includes(selected)) return () => choose({ plan: add(plan, legal, selected, 1) });
  const isOfProvince = action?.kind.case === "conquer" || action?.kind.case === "abandon";
  return isOfProvince ? act : undefined;
}

/** Return the provinces that the chosen action loses, as far as the server has told. */
function lostBy({ preview }: Decision): readonly string[] {
  return (preview?.effect?.events ?? []).flatMap(({ kind }) =>
    kind.case === "evacuated" || kind.case === "declineVanished" ? kind.value.provinces : [],
  );
}
