/** The panes of the page of a match. A pane is a file and a line here. */

import type { ComponentChild } from "preact";

import { mark } from "../i18n/i18n";
import { laterView } from "../later";
import type { Table } from "../match/table";
import { Chat } from "./Chat";
import { Empires } from "./Empires";
import { Log } from "./Log";
import { Market } from "./Market";
import { Scores } from "./Scores";
import { Seats } from "./Seats";

export interface Pane {
  /** Name in code and style sheets. */
  readonly name: string;
  /** Heading, marked for translation. */
  readonly title: string;
  /** On a large screen it is shown all the time; the others share a place behind tabs, on a small one all but the scores do. */
  readonly isFixed: boolean;
  /** Where there are two columns it heads the second, not the one with the decision. */
  readonly isBesideDecision?: boolean;
  readonly View: (props: { table: Table }) => ComponentChild;
}

export const PANES: readonly Pane[] = [
  { name: "scores", title: mark("Scores"), isFixed: true, isBesideDecision: true, View: Scores },
  { name: "market", title: mark("Market"), isFixed: true, View: Market },
  { name: "log", title: mark("Log"), isFixed: false, View: Log },
  { name: "empires", title: mark("Empires"), isFixed: false, View: Empires },
  { name: "curve", title: mark("VP"), isFixed: false, View: laterView(() => import("./Curve").then(({ Curve }) => Curve)) },
  { name: "chat", title: mark("Chat"), isFixed: false, View: Chat },
  { name: "seats", title: mark("Seats"), isFixed: false, View: Seats },
];
