/** The tutorial as data, in the language of the page; loaded when it is needed. `python -m tools.web_texts` writes it. */

import { type Language, language } from "../i18n/i18n";
import type english from "./lessons/en.json";

export type Lessons = typeof english;
export type Step = Lessons["steps"][number];

const LOADERS: Record<Language, () => Promise<{ default: Lessons }>> = {
  en: () => import("./lessons/en.json"),
  fr: () => import("./lessons/fr.json"),
  nl: () => import("./lessons/nl.json"),
  de: () => import("./lessons/de.json"),
};

/** Load the tutorial and the hints for a first game. */
export async function loadLessons(): Promise<Lessons> {
  return (await LOADERS[language()]()).default;
}
