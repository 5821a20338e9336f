/** Who sits down here: the name, which the key of this browser keeps for its person, and the other devices of the person. */

import { useEffect, useRef, useState } from "preact/hooks";

import { linkTo, takeFromAddress } from "../connection/access";
import { failureOf } from "../connection/errors";
import { forget, offerDevice, person, acceptDevice } from "../connection/person";
import { personKey } from "../connection/personKey";
import { useSettings } from "../frame";
import { plural, t } from "../i18n/i18n";
import { Shared } from "./Invitation";

/** The name under which the person here sits down. */
export function You() {
  const { settings, change } = useSettings();
  return (
    <label class="you">
      {t("Your name (may stay empty)")}
      <input
        value={settings.name}
        maxLength={32}
        autocomplete="nickname"
        placeholder={t("guest")}
        onInput={(event) => change({ name: event.currentTarget.value })}
      />
    </label>
  );
}

/** The person of this browser: other devices, and the way to be forgotten. Nothing for a guest. */
export function Devices({ isLost }: { isLost: boolean }) {
  const { change } = useSettings();
  const [isPerson, setPerson] = useState(personKey() !== "");
  const [offered, setOffered] = useState<{ code: string; seconds: number }>();
  const [problem, setProblem] = useState("");
  const [name, setName] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    person().then(
      (known) => setName(known?.name ?? ""),
      () => undefined,
    );
  }, []);
  if (!isPerson) return null;
  const attempt = (work: () => Promise<void>): void => {
    setProblem("");
    work().catch((error: unknown) => setProblem(failureOf(error).text));
  };
  const forgetMe = async (): Promise<void> => {
    dialog.current?.close();
    await forget();
    change({ name: "" });
    setPerson(false);
  };
  return (
    <details class="card">
      <summary>{name ? t("You are {name} on this server", { name }) : t("You on this server")}</summary>
      <p>{t("Your name and your seats are kept in this browser. Another phone or computer can have them, too.")}</p>
      <div class="acts">
        <button disabled={isLost} onClick={() => attempt(async () => setOffered(await offerDevice()))}>{t("Use another device, too")}</button>
        <button disabled={isLost} onClick={() => dialog.current?.showModal()}>{t("Forget me")}</button>
      </div>
      {offered && (
        <div role="status">
          <p>
            {plural(
              "Scan the code or open the link on your other device, within {n} minute. Keep it to yourself: whoever opens it plays as you.",
              "Scan the code or open the link on your other device, within {n} minutes. Keep it to yourself: whoever opens it plays as you.",
              Math.floor(offered.seconds / 60),
            )}
          </p>
          <Shared link={linkTo("/", { device: offered.code })} />
        </div>
      )}
      {problem && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      <dialog ref={dialog} aria-label={t("Forget me")}>
        <p>{t("Your name is removed from all matches and from the chat of this server, and your other devices lose your seats. The games stay, and records that others have saved keep your name.")}</p>
        <div class="acts">
          <button class="act" onClick={() => attempt(forgetMe)}>
            {t("Forget me")}
          </button>
          <button onClick={() => dialog.current?.close()}>{t("Cancel")}</button>
        </div>
      </dialog>
    </details>
  );
}

/** The question of a link to another device; nothing if the address was none. */
export function DeviceQuestion({ answered }: { answered: () => void }) {
  const { change } = useSettings();
  const [code, setCode] = useState(() => takeFromAddress("device"));
  const [problem, setProblem] = useState("");
  if (!code) return null;
  const accept = (): void => {
    acceptDevice(code).then(
      (known) => {
        if (known) change({ name: known.name });
        setCode("");
        answered();
      },
      (error: unknown) => setProblem(failureOf(error).text),
    );
  };
  return (
    <section class="card" aria-labelledby="device">
      <h2 id="device">{t("Play here as on your other device?")}</h2>
      <p>{t("This browser then has the name and the seats of whoever made the link. Say yes only if that was you.")}</p>
      {personKey() && <p>{t("It no longer has the name and the seats that it has now.")}</p>}
      {problem && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      <div class="acts">
        <button class="act" onClick={accept}>
          {t("Yes, it was me")}
        </button>
        <button onClick={() => setCode("")}>{t("No")}</button>
      </div>
    </section>
  );
}
