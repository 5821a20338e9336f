/** The form for a new match: seats and board, and behind "More options" all other fields that the server describes. */

import type { ComponentChildren, TargetedInputEvent } from "preact";
import { useState } from "preact/hooks";

import { go } from "../address";
import { failureOf } from "../connection/errors";
import { useSettings } from "../frame";
import { type GetServerInfoResponse, type MatchField, MatchFieldKind } from "../gen/vinci/v1/lobby_pb";
import { listed, t } from "../i18n/i18n";
import { textIn } from "../match/names";
import { SeatChip } from "../panels/SeatChip";
import { emptyForm, type Form, HUMAN, replaced, resized, seatWords, shown, type Values } from "./request";
import { join, make } from "./seating";
import { kind, label, value } from "./words";

const OTHER = "other";
/** Code of the field that is always in sight, beside the seats. */
const BOARD = "board";

export function Create({ info, isLost }: { info: GetServerInfoResponse; isLost: boolean }) {
  const { settings } = useSettings();
  const [form, setForm] = useState<Form>(() => emptyForm(info.bots));
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState({ field: "", text: "" });
  const put = (changed: Partial<Form>): void => {
    setForm({ ...form, ...changed });
    setWrong({ field: "", text: "" });
  };
  const fields = shown(info.matchFields, form.values);
  const seats = info.matchFields.find((field) => field.kind === MatchFieldKind.SEATS);
  const draw = (field: MatchField) => {
    const code = field.text?.code ?? "";
    const set = (typed: string): void => put({ values: { ...form.values, [code]: typed } });
    return <Field key={code} info={info} field={field} values={form.values} set={set} isWrong={wrong.field === code} />;
  };
  const first = form.seats.indexOf(HUMAN);
  const free = form.seats.findIndex((word) => word !== HUMAN);
  const others = listed(form.seats.flatMap((word, place) => (word === HUMAN && place > first ? t("seat {seat}", { seat: place + 1 }) : [])));
  const create = async (): Promise<void> => {
    setBusy(true);
    try {
      const chosen = fields.map(({ text }) => [text?.code ?? "", form.values[text?.code ?? ""] ?? ""] as const);
      const { matchId } = await make({ seats: form.seats, values: Object.fromEntries(chosen) }, settings.name);
      if (form.seats.includes(HUMAN)) await join(matchId, settings.name);
      go(`/m/${matchId}`);
    } catch (error) {
      const { facts, text } = failureOf(error);
      const field = facts["field"] ?? "";
      setWrong({ field, text });
      if (field !== "" && field !== "seats") setOpen(true);
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <fieldset aria-invalid={wrong.field === "seats"}>
        <legend>{t("Seats")}</legend>
        <label class="field">
          {seats && label(seats)}
          <select
            value={form.seats.length}
            onChange={(event) => put({ seats: resized(form.seats, Number(event.currentTarget.value)) })}
          >
            {seats &&
              Array.from({ length: seats.most - seats.least + 1 }, (_, more) => seats.least + more).map((count) => (
                <option key={count}>{count}</option>
              ))}
          </select>
        </label>
        {form.seats.map((word, place) => (
          <label key={place} class="field">
            <span>
              <SeatChip seat={place + 1} /> <span class="hidden">{t("Seat {seat}", { seat: place + 1 })}</span>
            </span>
            <select
              value={word}
              onChange={(event) => put({ seats: replaced(form.seats, place, event.currentTarget.value) })}
            >
              {seatWords(info.bots).map((choice) => (
                <option key={choice} value={choice}>
                  {kind(choice)}
                </option>
              ))}
            </select>
          </label>
        ))}
        {free >= 0 && (
          <button type="button" onClick={() => put({ seats: replaced(form.seats, free, HUMAN) })}>
            {t("Invite others")}
          </button>
        )}
        <p class="note">
          {t("Dummies play by fixed rules, with two more pawns for each civilization: harder than Easy, about as hard as Normal.")}{" "}
          {t("“Any computer player” is the first that is free or connects; the match waits for it.")}
        </p>
      </fieldset>
      {fields.filter(({ text }) => text?.code === BOARD).map(draw)}
      <details
        class="more"
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>{t("More options")}</summary>
        {isOpen &&
          grouped(fields.filter(({ text }) => text?.code !== BOARD)).map(([title, entries]) => (
            <fieldset key={title}>
              <legend>{title}</legend>
              {entries.map(draw)}
            </fieldset>
          ))}
      </details>
      {wrong.text && (
        <p class="wrong" role="alert">
          {wrong.text}
        </p>
      )}
      <button class="act" disabled={isBusy || isLost}>
        {t("Make this match")}
      </button>
      <p class="note">
        {form.seats.includes(HUMAN)
          ? [t("You sit at seat {seat}.", { seat: first + 1 }), others && t("The match waits until other people have joined: {seats}.", { seats: others })].join(" ")
          : t("Nobody sits down: you look on.")}
      </p>
    </form>
  );
}

/** Return fields by the heading above them. */
function grouped(fields: readonly MatchField[]): readonly (readonly [string, readonly MatchField[]])[] {
  const titles = [...new Set(fields.map(({ group }) => textIn(group?.names)))];
  return titles.map((title) => [title, fields.filter(({ group }) => textIn(group?.names) === title)]);
}

interface Entry {
  readonly info: GetServerInfoResponse;
  readonly field: MatchField;
  readonly values: Values;
  readonly set: (value: string) => void;
  readonly isWrong: boolean;
}

/** A field as its kind asks for: a list, a number, or a text, which a list of usual ones can precede. */
function Field({ info, field, values, set, isWrong }: Entry) {
  const [isOther, setOther] = useState(false);
  const code = field.text?.code ?? "";
  const chosen = values[code] ?? "";
  const edition = info.matchFields.find(({ text }) => text?.code === "edition");
  const usual = field.byEdition[values["edition"] ?? ""];
  const show = (one: string): string => (one === "" && usual !== undefined ? t("as in the edition") : value(field, one));
  const described = field.values.find((text) => text.code === chosen)?.descriptions;
  const ofEdition =
    usual !== undefined && edition
      ? t("{edition}: {value}", { edition: value(edition, values["edition"] ?? ""), value: value(field, usual) })
      : "";
  const about = textIn(described) || textIn(field.text?.descriptions) || [field.rule, ofEdition].filter(Boolean).join(" · ");
  const attributes = { value: chosen, "aria-describedby": `${code}-about`, "aria-invalid": isWrong };
  const list = (codes: readonly string[], choose: (code: string) => void, more: Partial<typeof attributes> = {}) => (
    <Labelled label={label(field)} code={code} about={about}>
      <select aria-label={label(field)} {...attributes} {...more} onChange={(event) => choose(event.currentTarget.value)}>
        {codes.map((one) => (
          <option key={one} value={one}>
            {one === OTHER ? t("another one …") : show(one)}
          </option>
        ))}
      </select>
    </Labelled>
  );
  const input = (name: string, shown: string) => {
    const typed = {
      ...attributes,
      "aria-label": name,
      placeholder: show(""),
      onInput: (event: TargetedInputEvent<HTMLInputElement>) => set(event.currentTarget.value),
    };
    const isCounted = field.kind === MatchFieldKind.NUMBER || field.kind === MatchFieldKind.SECONDS;
    return (
      <Labelled label={name} code={code} about={shown}>
        {isCounted ? (
          <input type="number" min={field.least} max={field.most} onWheel={({ currentTarget }) => currentTarget.blur()} {...typed} />
        ) : (
          <input spellcheck={false} autocapitalize="off" {...typed} />
        )}
      </Labelled>
    );
  };
  if (field.kind === MatchFieldKind.CHOICE) {
    const codes = field.values.map((text) => text.code);
    return list(codes.includes("") ? codes : ["", ...codes], set);
  }
  const proposed = field.kind === MatchFieldKind.BOT ? info.bots : field.proposed;
  if (field.kind === MatchFieldKind.NUMBER || proposed.length === 0) return input(label(field), about);
  const isTyped = isOther || (chosen !== "" && !proposed.includes(chosen));
  const choose = (one: string): void => {
    setOther(one === OTHER);
    if (one !== OTHER) set(one);
  };
  return (
    <>
      {list(["", ...proposed, OTHER], choose, isTyped ? { value: OTHER } : {})}
      {isTyped && input(t("{field}: another value", { field: label(field) }), "")}
    </>
  );
}

/** A label above or beside its field, with an explanation that `aria-describedby` names. */
function Labelled(entry: { label: string; code: string; about: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>
        {entry.label}
        {entry.about && <small id={`${entry.code}-about`}>{entry.about}</small>}
      </span>
      {entry.children}
    </label>
  );
}
