/** What is needed rarely: pause, hand over, resign, substitutes, keys. */

import "./menu.css";

import { useEffect, useRef, useState } from "preact/hooks";


import { joinCode, linkTo } from "../connection/access";
import { bearing, lobby, matches, plain } from "../connection/clients";
import { ProposalKind, SeatKind } from "../gen/vinci/v1/lobby_pb";
import { plural, t, translated } from "../i18n/i18n";
import { Shared } from "../lobby/Invitation";
import type { Table } from "../match/table";
import { leaveGame } from "./calls";
import { propose } from "./Proposals";
import { bringUp } from "./scrolling";
import { areKeysOn, KEYS, switchKeys } from "./useKeys";
import type { Play } from "./usePlay";

export function Menu({ table, play }: { table: Table; play: Play }) {
  const { model, names, token } = table;
  const { matchId, match, seat } = model;
  const [offer, setOffer] = useState<{ code: string; seconds: number; port: number }>();
  const [hasKeys, setHasKeys] = useState(false);
  const isSubstituted = match?.seats[seat - 1]?.substituted;
  const isPaused = match?.paused === true;
  const gone = (match?.seats ?? []).filter(
    (one) => one.seat !== seat && one.kind === SeatKind.HUMAN && one.taken && !one.connected && !one.substituted,
  );
  const handOver = async (): Promise<undefined> => {
    const { port } = await lobby.getServerInfo({}, plain);
    const { code, seconds } = await lobby.offerSeat({ matchId }, bearing(token));
    setOffer({ code, seconds, port });
    return undefined;
  };
  const takeBack = async (): Promise<undefined> => {
    await matches.takeBack({ matchId }, bearing(token));
    return undefined;
  };
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => bringUp(place.current), [offer, hasKeys]);
  return (
    <div class="menu" ref={place}>
      {isSubstituted && (
        <button class="act" onClick={() => play.attempt(takeBack)}>
          {t("Take the seat back")}
        </button>
      )}
      <button onClick={() => play.attempt(() => propose(table, isPaused ? ProposalKind.RESUME : ProposalKind.PAUSE))}>
        {isPaused ? t("Go on") : t("Pause")}
      </button>
      {gone.map((one) => (
        <button key={one.seat} onClick={() => play.attempt(() => propose(table, ProposalKind.SUBSTITUTE, one.seat))}>
          {t("Propose a substitute for {who}", { who: names.seat(one.seat) })}
        </button>
      ))}
      <button onClick={() => play.attempt(handOver)}>{t("Play on another device")}</button>
      <Resign table={table} play={play} />
      <button aria-expanded={hasKeys} onClick={() => setHasKeys(!hasKeys)}>
        {t("Keyboard")}
      </button>
      {offer && (
        <div class="offer" role="status">
          <p>
            {plural(
              "Play your seat elsewhere: open the link or type the command, once, within {n} minute.",
              "Play your seat elsewhere: open the link or type the command, once, within {n} minutes.",
              Math.floor(offer.seconds / 60),
            )}
          </p>
          <Shared link={linkTo(`/m/${matchId}`, { take: offer.code })} drawn={() => bringUp(place.current)} />
          <p>
            {t("At a terminal:")} <code>{commandOf(offer)}</code>
          </p>
        </div>
      )}
      {hasKeys && <Keys />}
    </div>
  );
}

/** Return the command that takes a seat over at a terminal. */
function commandOf({ code, port }: { code: string; port: number }): string {
  const address = `${location.hostname}${port ? `:${port}` : ""}`;
  const tls = location.protocol === "https:" ? " --tls" : "";
  return `vinci join ${address} --take ${code}${joinCode() && ` --code ${joinCode()}`}${tls}`;
}

/** Leaving the game for good, after a question. */
function Resign({ table, play }: { table: Table; play: Play }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const resign = (): void => {
    dialog.current?.close();
    play.attempt(() => leaveGame(table));
  };
  return (
    <>
      <button onClick={() => dialog.current?.showModal()}>{t("Resign")}</button>
      <dialog ref={dialog} aria-label={t("Resign")}>
        <p>{t("You leave the game for good: your empires stay on the board and score no more.")}</p>
        <div class="others">
          <button class="act" onClick={resign}>
            {t("Resign")}
          </button>
          <button onClick={() => dialog.current?.close()}>{t("Cancel")}</button>
        </div>
      </dialog>
    </>
  );
}

function Keys() {
  const [isOn, setIsOn] = useState(areKeysOn);
  return (
    <div class="keys">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            switchKeys(event.currentTarget.checked);
            setIsOn(event.currentTarget.checked);
          }}
        />{" "}
        {t("Single-letter keys")}
      </label>
      <dl>
        {KEYS.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{translated(effect)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
