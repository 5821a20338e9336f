/** The beginning of the tutorial, which is a match like others with a step over its board. */

import "../lobby/lobby.css";

import { create } from "@bufbuild/protobuf";
import { useState } from "preact/hooks";

import { go } from "../address";
import { seatOf } from "../connection/access";
import { type Failure, failureOf } from "../connection/errors";
import { bearing, lobby, matches, plain, requestId } from "../connection/clients";
import { ActionSchema } from "../gen/vinci/v1/game_pb";
import { Frame, Link, useSettings } from "../frame";
import { t } from "../i18n/i18n";
import { Access } from "../lobby/Access";
import { join } from "../lobby/seating";
import { NEEDS_ACCESS } from "../lobby/server";
import { RulesLink } from "../rules/links";
import { keepTutorial, leftTutorial } from "./current";
import { loadLessons } from "./lessons";

/** Leave a tutorial for good: it would stay among the running matches. */
async function leave(matchId: string): Promise<void> {
  const { seat = 0, token } = seatOf(matchId) ?? {};
  const actions = [create(ActionSchema, { kind: { case: "forfeit", value: { seat } } })];
  await matches.act({ matchId, requestId: requestId(), actions }, bearing(token)).catch(() => undefined);
}

export default function TutorialPage() {
  const { settings } = useSettings();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const left = leftTutorial();
  const begin = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { position, seed, seat } = await loadLessons();
      if (left) await leave(left);
      const { match } = await lobby.createMatch({ position, seed, startWhenFull: true, requestId: requestId() }, plain);
      const matchId = match?.matchId ?? "";
      await join(matchId, settings.name, seat);
      keepTutorial(matchId);
      go(`/m/${matchId}`);
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  };
  return (
    <Frame name="room-page" heading={t("Tutorial")}>
      {failure && NEEDS_ACCESS.has(failure.reason) ? (
        <Access failure={failure} entered={() => void begin()} />
      ) : (
        <section class="card room" aria-labelledby="tutorial">
          <h2 id="tutorial">{left ? t("Go on with the tutorial where you left it?") : t("Tutorial")}</h2>
          <p>{t("A short prepared game, about ten minutes, that shows everything you need.")}</p>
          <p class="choices-row">
            {left && (
              <button class="act" onClick={() => go(`/m/${left}`)}>
                {t("Go on")}
              </button>
            )}
            <button class={left ? "" : "act"} disabled={isBusy} onClick={() => void begin()}>
              {left ? t("From the start") : t("Begin")}
            </button>
          </p>
          {failure && (
            <p class="wrong" role="alert">
              {failure.text}
            </p>
          )}
          <p>
            <RulesLink>{t("Rules")}</RulesLink> · <Link to="/">{t("To the matches")}</Link>
          </p>
        </section>
      )}
    </Frame>
  );
}
