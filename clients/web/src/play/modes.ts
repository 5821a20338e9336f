/** The components of decisions. A decision is a file and a line here. */

import type { ComponentChild } from "preact";

import { Abandon } from "./Abandon";
import type { Mode } from "./choice";
import { Conquer } from "./Conquer";
import { Decline } from "./Decline";
import { Draft } from "./Draft";
import { Hold } from "./Hold";
import { Peace } from "./Peace";
import { Redeploy } from "./Redeploy";
import { Stay } from "./Stay";
import type { ModeProps } from "./usePlay";

export const MODES: Record<Mode, (props: ModeProps) => ComponentChild> = {
  draft: Draft,
  conquer: Conquer,
  abandon: Abandon,
  peace: Peace,
  hold: Hold,
  redeploy: Redeploy,
  decline: Decline,
  stay: Stay,
};
