/** Settings of this browser: theme, language, pace, hints and the name at the table. They are no secrets, so they stay in `localStorage`. */

import { type Language, LANGUAGES, preferred } from "./i18n/i18n";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Milliseconds for which each move of others is shown; 0 shows the latest position at once. */
export const PACES = [0, 600, 1_200, 2_400] as const;
export type Pace = (typeof PACES)[number];

export interface Settings {
  readonly theme: Theme;
  readonly language: Language;
  readonly pace: Pace;
  /** Name under which the person here sits down. */
  readonly name: string;
  /** Whether the system says so when it is the person's move. */
  readonly notices: boolean;
  /** Show hints in a first game. */
  readonly hints: boolean;
}

const KEY = "vinci-settings";

/** Return the settings of this browser; those that were never chosen are the usual ones. */
export function readSettings(): Settings {
  let kept: Partial<Record<keyof Settings, unknown>> = {};
  try {
    kept = (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as typeof kept;
  } catch {
    // unreadable, or no storage: the usual ones
  }
  return {
    theme: THEMES.find((theme) => theme === kept.theme) ?? "system",
    language: LANGUAGES.find((language) => language === kept.language) ?? preferred(navigator.languages),
    pace: PACES.find((pace) => pace === kept.pace) ?? 1_200,
    name: typeof kept.name === "string" ? kept.name : "",
    notices: kept.notices === true,
    hints: kept.hints !== false,
  };
}

/** Keep settings. */
export function keepSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // no storage: they hold as long as the page
  }
}
