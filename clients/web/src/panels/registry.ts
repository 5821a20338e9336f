/** The panes of the page of a match. A pane is a file and a line here. */

import type { ComponentChild } from "preact";

import { mark } from "../i18n/i18n";
import type { Table } from "../match/table";
import { Chat } from "./Chat";
import { Log } from "./Log";
import { Market } from "./Market";
import { Scores } from "./Scores";
import { Seats } from "./Seats";

export interface Pane {
  /** Name in code and style sheets. */
  readonly name: string;
  /** Heading, marked for translation. */
  readonly title: string;
  /** Draw the pane; null if there is nothing to show. */
  readonly View: (props: { table: Table }) => ComponentChild;
}

/** The decision at hand, always at the same place: below the scores, on a phone in a sheet from below. */
export const DECISION: Pane | undefined = undefined;

/** Panes in order: beside the board on a wide screen, behind tabs on a phone. */
export const PANES: readonly Pane[] = [
  { name: "scores", title: mark("Scores"), View: Scores },
  { name: "market", title: mark("Market"), View: Market },
  { name: "log", title: mark("Log"), View: Log },
  { name: "chat", title: mark("Chat"), View: Chat },
  { name: "seats", title: mark("Seats"), View: Seats },
];
