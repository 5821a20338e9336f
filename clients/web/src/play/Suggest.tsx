/** What the server suggests, and why. */

import { toJsonString } from "@bufbuild/protobuf";
import { useEffect, useRef } from "preact/hooks";

import { ActionSchema } from "../gen/vinci/v1/game_pb";
import { t } from "../i18n/i18n";
import { state } from "../match/selectors";
import type { Table } from "../match/table";
import { priceOf } from "../match/wording";
import { costIn, targetAt } from "./choice";
import { chipOf } from "./Conquer";
import { bringUp } from "./scrolling";
import type { Play } from "./usePlay";
import { actOf, prospectOf } from "./wording";

export function Suggest({ table: { model, names }, play }: { table: Table; play: Play }) {
  const { suggestion, decision } = play;
  const action = suggestion?.action;
  const words = action && actOf(action, decision && costIn(action, decision.legal), state(model)?.market ?? [], names);
  const conquest = action?.kind.case === "conquer" && !action.kind.value.spies ? action.kind.value.province : "";
  const target = decision && targetAt(decision.legal, conquest);
  const prospect = decision?.prospects.find(({ slot }) => action?.kind.case === "take" && slot === action.kind.value.slot);
  const slot = prospect && state(model)?.market[prospect.slot - 1];
  const isChosen = action && decision?.action && toJsonString(ActionSchema, action) === toJsonString(ActionSchema, decision.action);
  const place = useRef<HTMLDivElement>(null);
  const revision = suggestion?.revision;
  const isPending = suggestion?.isPending;
  useEffect(() => {
    if (revision !== undefined) bringUp(place.current);
  }, [revision, isPending]);
  return (
    <div class="suggestion" role="status" ref={place}>
      {suggestion?.isPending && <p>{t("The server is thinking …")}</p>}
      {suggestion && !suggestion.isPending && (
        <>
          <p>
            <b>{t("Suggestion: {action}", { action: words || suggestion.notation })}</b>{" "}
            {decision && !isChosen && <button onClick={play.adopt}>{t("Choose it")}</button>}
          </p>
          {target && decision.choice.mode !== "conquer" && <p>{chipOf(target, names)}</p>}
          {prospect && slot && <p>{`${priceOf(slot)} · ${prospectOf(prospect, names)}`}</p>}
          {suggestion.reasons.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </>
      )}
    </div>
  );
}
