/** Asks for the join code or password of the server. */

import { useEffect, useRef, useState } from "preact/hooks";

import { setCode } from "../connection/access";
import type { Failure } from "../connection/errors";
import { t } from "../i18n/i18n";

export function Access({ failure, entered }: { failure: Failure; entered: () => void }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isPassword = failure.facts["needs"] === "password";
  const isWrong = failure.reason === "BAD_ACCESS";
  useEffect(() => field.current?.focus(), [failure]);
  return (
    <form
      class="card access"
      onSubmit={(event) => {
        event.preventDefault();
        setCode(text, isPassword);
        entered();
      }}
    >
      <h2>{isPassword ? t("This server asks for its password.") : t("This server asks for its join code.")}</h2>
      <p>{isPassword ? t("Its host has it.") : t("Its host has it; it is also in the link and the QR code that the server shows.")}</p>
      <label>
        {isPassword ? t("Password") : t("Join code")}
        <input
          ref={field}
          {...(isPassword ? { type: "password", autocomplete: "current-password" } : { autocomplete: "off" })}
          autocapitalize="off"
          spellcheck={false}
          required
          aria-invalid={isWrong}
          aria-describedby="access-wrong"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <p id="access-wrong" class="wrong" role="alert">
        {isWrong && (isPassword ? t("That is not the password of this server.") : t("That is not the join code of this server."))}
      </p>
      <button class="act">{t("Enter the server")}</button>
    </form>
  );
}
