/** The form for a new match: seats and board, and behind "More options" all that the server offers. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { go } from "../address";
import { failureOf } from "../connection/errors";
import { useSettings } from "../frame";
import type { GetServerInfoResponse, OptionInfo } from "../gen/vinci/v1/lobby_pb";
import { t } from "../i18n/i18n";
import { SeatChip } from "../panels/SeatChip";
import {
  ANY_BOT,
  blamed,
  CLOCKS,
  DUMMY,
  emptyForm,
  FEWEST_SEATS,
  type Form,
  HUMAN,
  MOST_SEATS,
  type Policy,
  replaced,
  resized,
} from "./request";
import { join, make } from "./seating";
import { clock, described, kind, named, option, short, value } from "./words";

const OTHER = "other";
const ABSENCES = ["", "60", "120", "300", "900"] as const;
const MOST_TRIES = 100;
const STANDARD = "standard";

/** The words of `request.setupOf` that can be chosen for a seat. */
export function seatWords(bots: readonly string[]): readonly string[] {
  return [HUMAN, DUMMY, ...bots, ANY_BOT];
}

export function Create({ info }: { info: GetServerInfoResponse }) {
  const { settings } = useSettings();
  const [form, setForm] = useState<Form>(() => emptyForm(info.bots));
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState({ field: "", text: "" });
  const put = (changed: Partial<Form>): void => {
    setForm({ ...form, ...changed });
    setWrong({ field: "", text: "" });
  };
  const create = async (): Promise<void> => {
    setBusy(true);
    try {
      const { matchId } = await make(form);
      if (form.seats.includes(HUMAN)) await join(matchId, settings.name);
      go(`/m/${matchId}`);
    } catch (error) {
      const { reason, facts, text } = failureOf(error);
      const field = blamed(reason, facts);
      setWrong({ field, text });
      if (field !== "" && field !== "seats") setOpen(true);
      setBusy(false);
    }
  };
  return (
    <details class="card create">
      <summary>{t("New match")}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <fieldset aria-invalid={wrong.field === "seats"}>
          <legend>{t("Seats")}</legend>
          <label class="field">
            {t("How many")}
            <select
              value={form.seats.length}
              onChange={(event) => put({ seats: resized(form.seats, Number(event.currentTarget.value)) })}
            >
              {Array.from({ length: MOST_SEATS - FEWEST_SEATS + 1 }, (_, more) => FEWEST_SEATS + more).map((count) => (
                <option key={count}>{count}</option>
              ))}
            </select>
          </label>
          {form.seats.map((word, place) => (
            <label key={place} class="field">
              <span>
                <SeatChip seat={place + 1} /> {t("Seat {seat}", { seat: place + 1 })}
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
        </fieldset>
        <Choice
          label={t("Board")}
          about={described(info.boardTexts, form.board || info.defaultBoard)}
          value={form.board || info.defaultBoard}
          values={info.boards}
          show={(code) => named(info.boardTexts, code)}
          set={(board) => put({ board })}
          isWrong={wrong.field === "board"}
        />
        <details
          class="more"
          open={isOpen}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>{t("More options")}</summary>
          {isOpen && <More info={info} form={form} put={put} wrong={wrong.field} />}
        </details>
        {wrong.text && (
          <p class="wrong" role="alert">
            {wrong.text}
          </p>
        )}
        <button class="act" disabled={isBusy}>
          {t("Make this match")}
        </button>
        <p class="note">
          {form.seats.includes(HUMAN)
            ? t("You sit down at the first seat of a person.")
            : t("Nobody sits down: you look on.")}
        </p>
      </form>
    </details>
  );
}

interface Part {
  readonly info: GetServerInfoResponse;
  readonly form: Form;
  readonly put: (changed: Partial<Form>) => void;
  /** Name of the field that the server refuses. */
  readonly wrong: string;
}

/** All that few people change. */
function More({ info, form, put, wrong }: Part) {
  const [isOwnClock, setOwnClock] = useState(!CLOCKS.has(form.clock));
  const policies = {
    "": t("the default action is played"),
    substitute: t("a substitute plays on"),
    forfeit: t("the seat leaves the game"),
  };
  const target = info.options.find(({ name }) => name === "target");
  return (
    <>
      <Group title={t("Game")}>
        <Choice
          label={t("Edition")}
          about={described(info.editionTexts, form.edition || STANDARD)}
          value={form.edition || STANDARD}
          values={info.editions}
          show={(code) => named(info.editionTexts, code)}
          set={(edition) => put({ edition })}
          isWrong={wrong === "edition"}
        />
        {target && <Rule info={target} form={form} put={put} wrong={wrong} />}
        <Typed
          label={t("Chance")}
          about={t("Secret: the server commits to a seed that nobody knows, and everybody can check the draws afterwards. With a seed typed here the game is open and can be played again just so.")}
          value={form.seed}
          placeholder={t("secret, checked afterwards")}
          set={(seed) => put({ seed })}
          isWrong={wrong === "seed"}
        />
        <Choice
          label={t("Suggestions")}
          about={t("Whether players may ask the server for the best action and its reasons.")}
          value={form.advice}
          values={["", "none"]}
          show={(code) => (code ? t("off") : t("on request"))}
          set={(advice) => put({ advice: advice as Form["advice"] })}
        />
      </Group>
      <Group title={t("Time")}>
        <Choice
          label={t("Clock")}
          value={isOwnClock ? OTHER : form.clock}
          values={[...CLOCKS.keys(), OTHER]}
          show={(text) => (text === OTHER ? t("another one …") : clock(CLOCKS.get(text)))}
          set={(text) => {
            setOwnClock(text === OTHER);
            if (text !== OTHER) put({ clock: text });
          }}
        />
        {isOwnClock && (
          <Typed
            label={t("Clock, typed")}
            about={t("30 is 30 seconds a decision, 10m+15s ten minutes and 15 s more each turn.")}
            value={form.clock}
            placeholder="10m+15s"
            set={(text) => put({ clock: text })}
            isWrong={wrong === "clock"}
          />
        )}
        {form.clock && (
          <Choice
            label={t("When time is up")}
            value={form.timeout}
            values={Object.keys(policies)}
            show={(code) => policies[code as Policy]}
            set={(code) => put({ timeout: code as Policy })}
          />
        )}
        <Choice
          label={t("Whoever is away")}
          value={form.absence}
          values={ABSENCES}
          show={(text) => (text ? t("is replaced after {time}", { time: short(Number(text)) }) : t("is waited for"))}
          set={(absence) => put({ absence })}
        />
        <Choice
          label={t("Substitute")}
          value={form.substitute}
          values={["", ...info.bots]}
          show={(name) => name || t("the server itself")}
          set={(substitute) => put({ substitute })}
        />
        <Choice
          label={t("Start")}
          value={form.start}
          values={["", "host"]}
          show={(code) => (code ? t("when I say so") : t("when everybody sits"))}
          set={(code) => put({ start: code as Form["start"] })}
        />
      </Group>
      <Group title={t("Bots")}>
        <Counted
          label={t("Tries")}
          about={t("How many answers of a bot to one decision may be refused.")}
          value={form.tries}
          least={1}
          most={MOST_TRIES}
          usual="3"
          set={(tries) => put({ tries })}
          isWrong={wrong === "tries"}
        />
        <Choice
          label={t("When none is left")}
          value={form.refused}
          values={Object.keys(policies)}
          show={(code) => policies[code as Policy]}
          set={(code) => put({ refused: code as Policy })}
        />
      </Group>
      <Group title={t("Single rules")}>
        {info.options
          .filter(({ name }) => name !== "target")
          .map((rule) => (
            <Rule key={rule.name} info={rule} form={form} put={put} wrong={wrong} />
          ))}
      </Group>
    </>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** A single rule: one of its values or a number, else as in the edition. */
function Rule({ info, form, put, wrong }: { info: OptionInfo } & Omit<Part, "info">) {
  const chosen = form.options[info.name] ?? "";
  const set = (text: string): void => put({ options: { ...form.options, [info.name]: text } });
  const isWrong = wrong === `option ${info.name}`;
  const about = info.rule;
  if (!info.number) {
    const show = (text: string): string => (text ? value(text) : t("as in the edition"));
    const values = ["", ...info.values];
    return <Choice label={option(info.name)} about={about} value={chosen} values={values} show={show} set={set} isWrong={isWrong} />;
  }
  const [least = "0", most = "10000"] = info.values;
  return (
    <Counted
      label={option(info.name)}
      about={about}
      value={chosen}
      least={Number(least)}
      most={Number(most)}
      usual={t("as usual")}
      set={set}
      isWrong={isWrong}
    />
  );
}

interface Entry {
  readonly label: string;
  readonly about?: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly isWrong?: boolean;
}

function Choice(entry: Entry & { values: readonly string[]; show: (value: string) => string }) {
  return (
    <Labelled {...entry}>
      <select value={entry.value} aria-invalid={entry.isWrong} onChange={(event) => entry.set(event.currentTarget.value)}>
        {entry.values.map((one) => (
          <option key={one} value={one}>
            {entry.show(one)}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function Typed(entry: Entry & { placeholder: string }) {
  return (
    <Labelled {...entry}>
      <input
        value={entry.value}
        placeholder={entry.placeholder}
        spellcheck={false}
        autocapitalize="off"
        aria-invalid={entry.isWrong}
        onInput={(event) => entry.set(event.currentTarget.value)}
      />
    </Labelled>
  );
}

function Counted(entry: Entry & { least: number; most: number; usual: string }) {
  return (
    <Labelled {...entry}>
      <input
        type="number"
        min={entry.least}
        max={entry.most}
        value={entry.value}
        placeholder={entry.usual}
        aria-invalid={entry.isWrong}
        onInput={(event) => entry.set(event.currentTarget.value)}
      />
    </Labelled>
  );
}

function Labelled({ label, about, children }: { label: string; about?: string | undefined; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>
        {label}
        {about && <small>{about}</small>}
      </span>
      {children}
    </label>
  );
}
