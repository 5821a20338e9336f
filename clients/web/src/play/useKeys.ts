/** Keys of one letter for decisions, the same as in the terminal. They can be switched off, as other tools need letters. */

import { useEffect, useRef } from "preact/hooks";

import { mark } from "../i18n/i18n";
import type { Table } from "../match/table";
import { type Mode, modesOf, targetsOf, withMode } from "./choice";
import { add, toggleFort } from "./plan";
import type { Decision, Play } from "./usePlay";

/** Keys and what they do, as the page tells them. */
export const KEYS: readonly (readonly [string, string])[] = [
  ["← ↑ → ↓", mark("walk from province to province (on the board)")],
  ["N", mark("the next province with which something can be done; Shift+N: the one before")],
  ["Enter", mark("do what the button says")],
  ["1–6", mark("choose a civilization or an opponent")],
  ["C", mark("conquer")],
  ["X", mark("by Spies or not")],
  ["H", mark("end the conquests and place pawns")],
  ["W Q", mark("one pawn more or less in the selected province")],
  ["F", mark("a fort in the selected province")],
  ["A P D T", mark("abandon, peace, decline, no decline")],
  ["R", mark("what happened since your last turn")],
  ["U", mark("take back")],
  ["S", mark("let an action be suggested; once more: choose it")],
];

const MODE_KEYS: Readonly<Record<string, Mode>> = { c: "conquer", h: "hold", a: "abandon", p: "peace", d: "decline", t: "stay" };
/** What does something of its own on Enter. */
const TAKES_ENTER = "a, button, input, summary, [role=button], [role=tab]";
const SETTING = "vinci-keys";

/** Return whether keys of one letter are switched on. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(SETTING) !== "off";
  } catch {
    return true;
  }
}

/** Switch keys of one letter on or off. */
export function switchKeys(isOn: boolean): void {
  try {
    localStorage.setItem(SETTING, isOn ? "on" : "off");
  } catch {
    // no storage: they stay on
  }
}

/** Take keys while the page of a match is shown. */
export function useKeys(table: Table, play: Play, recap: () => void): void {
  const latest = useRef({ table, play, recap });
  latest.current = { table, play, recap };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !areKeysOn()) return;
      const { target } = event;
      if (target instanceof Element && target.closest("input:not([type=checkbox], [type=radio]), select, textarea, dialog")) return;
      const { table, play, recap } = latest.current;
      const isFree = !(target instanceof Element && target.closest(TAKES_ENTER));
      if (done(event.key.toLowerCase(), event.shiftKey, isFree, table, play, recap)) event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

/** Do what a key stands for; return whether it stands for anything now. */
function done(key: string, isBack: boolean, isFree: boolean, table: Table, play: Play, recap: () => void): boolean {
  const { decision } = play;
  if (key === "u" && play.canUndo) play.undo();
  else if (key === "r" && table.model.seat !== 0) recap();
  else if (!decision) return false;
  else if (key === "s") (play.suggestion?.action ? play.adopt : play.suggest)();
  else if (key === "enter" && isFree) play.act();
  else return chosen(key, isBack, table, decision);
  return true;
}

function chosen(key: string, isBack: boolean, { model, dispatch }: Table, { legal, choice, choose }: Decision): boolean {
  const { selected } = model;
  const mode = MODE_KEYS[key];
  const { plan } = choice;
  if (mode && modesOf(legal).includes(mode)) choose(withMode(choice, mode, legal));
  else if (legal.take.includes(Number(key))) choose({ slot: Number(key) });
  else if (choice.mode === "peace" && legal.peace.includes(Number(key))) choose({ seat: Number(key) });
  else if (key === "x") choose({ spies: !choice.spies });
  else if (key === "n") {
    const all = walked(legal, choice.mode, plan);
    const next = all.at((all.indexOf(selected) + (isBack ? -1 : 1)) % Math.max(1, all.length));
    if (next) dispatch({ kind: "select", province: next });
  } else if (plan && key === "w") choose({ plan: add(plan, legal, selected, 1) });
  else if (plan && key === "q") choose({ plan: add(plan, legal, selected, -1) });
  else if (plan && key === "f") choose({ plan: toggleFort(plan, legal, selected) });
  else return false;
  return true;
}

/** Return the provinces with which something can be done, in the order in which they are walked. */
function walked(legal: Decision["legal"], mode: Mode, plan: Decision["choice"]["plan"]): readonly string[] {
  if (plan?.kind === "hold") return legal.hold?.parts[plan.part]?.provinces ?? [];
  if (plan) return legal.redeploy?.provinces ?? [];
  return mode === "abandon" ? legal.abandon : targetsOf(legal).map(({ province }) => province);
}
