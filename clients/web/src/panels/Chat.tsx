/** What people say, and a line to say something. */

import { useState } from "preact/hooks";

import { bearing, matches } from "../connection/clients";
import { failureOf } from "../connection/errors";
import { t } from "../i18n/i18n";
import type { Table } from "../match/table";
import { SeatChip } from "./SeatChip";
import { useTail } from "./tail";

const LONGEST = 300;

export function Chat({ table: { model, names, token } }: { table: Table }) {
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState("");
  const list = useTail<HTMLOListElement>(model.chat.length);
  const say = async (): Promise<void> => {
    try {
      await matches.chat({ matchId: model.matchId, text, name: "" }, bearing(token));
      setText("");
      setRefusal("");
    } catch (error) {
      setRefusal(failureOf(error).text);
    }
  };
  return (
    <div class="chat">
      <ol ref={list} tabIndex={0} aria-label={t("Chat")} aria-live="polite">
        {model.chat.map((line) => (
          <li key={String(line.number)}>
            {line.seat > 0 && <SeatChip seat={line.seat} />}
            <span>
              <b>{line.seat > 0 ? names.player(line.seat) : t("{who} (looking on)", { who: line.name })}</b> {line.text}
            </span>
          </li>
        ))}
      </ol>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) void say();
        }}
      >
        <input
          value={text}
          maxLength={LONGEST}
          aria-label={t("Message")}
          placeholder={t("Say something")}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button>{t("Send")}</button>
      </form>
      {refusal && <p role="alert">{refusal}</p>}
    </div>
  );
}
