/** What every part of the page of a match is drawn from, and by what it acts. */

import type { Seat } from "../connection/access";
import type { Action, BoardMap } from "../gen/vinci/v1/game_pb";
import type { Event, Model } from "./model";
import type { Names } from "./names";

export interface Table {
  readonly model: Model;
  readonly names: Names;
  readonly map: BoardMap;
  /** Change the model. */
  readonly dispatch: (event: Event) => void;
  /** Token of the seat that is played here, for calls to `connection/clients.matches`; undefined for a spectator. */
  readonly token: string | undefined;
  /** The seat that was taken over elsewhere while it was played here; 0 if none was. */
  readonly lostSeat: number;
  /** Play another seat from now on, or none. */
  readonly sit: (seat: Seat | undefined) => void;
  /** Return why an action is not to be played now, empty if it is; the tutorial has reasons. */
  readonly objection?: (action: Action, isTried?: boolean) => string;
}
