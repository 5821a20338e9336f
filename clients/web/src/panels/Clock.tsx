/** What the clock of a seat shows, counting down while it runs. */

import { useEffect, useState } from "preact/hooks";

import { t } from "../i18n/i18n";
import type { Model } from "../match/model";

const HURRY = 15_000;

export function Clock({ model: { clocks, clocksAt }, seat }: { model: Model; seat: number }) {
  const runs = clocks?.running === seat;
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (!runs) return undefined;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [runs, clocksAt]);
  const shown = clocks?.left[seat - 1];
  if (shown === undefined) return null;
  const left = Math.max(0, Number(shown) - (runs ? Math.max(0, now - clocksAt) : 0));
  return (
    <span class={`clock${runs ? " runs" : ""}${runs && left < HURRY ? " hurry" : ""}`} role="timer" aria-label={t("Clock")} data-tip={t("The time that this seat has left; when it is up, a default action is played.")}>
      {spelled(left)}
    </span>
  );
}

/** Return milliseconds as minutes and seconds. */
export function spelled(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
