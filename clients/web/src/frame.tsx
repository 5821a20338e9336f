/** The frame of every page: title, links, theme and language; and the settings that all pages read. */

import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";

import { go, onPlainClick } from "./address";
import { LANGUAGES, mark, t, translated } from "./i18n/i18n";
import { canNotify, mayNotify } from "./notices";
import { pure } from "./pure";
import { Help } from "./rules/links";
import { type Pace, PACES, type Settings, THEMES, type Theme } from "./settings";
import { Tips } from "./tips";

export const SettingsContext = createContext<{ settings: Settings; change: (settings: Settings) => void } | undefined>(undefined);

/** Return the settings, and a function that changes some of them. */
export function useSettings(): { settings: Settings; change: (some: Partial<Settings>) => void } {
  const context = useContext(SettingsContext);
  if (!context) throw new Error("no settings");
  return { settings: context.settings, change: (some) => context.change({ ...context.settings, ...some }) };
}

/** Names of the languages in themselves. */
const LANGUAGE_NAMES = { en: "English", fr: "Français", nl: "Nederlands", de: "Deutsch" };
const THEME_NAMES: Record<Theme, string> = { system: mark("as the system"), light: mark("light"), dark: mark("dark") };

const PACE_NAMES: Record<Pace, string> = { 0: mark("all at once"), 600: mark("quick"), 1200: mark("normal"), 2400: mark("slow") };

/** Return the note of a lost connection. */
export const lostText = (): string => t("The connection is lost; it is tried again. What is shown may be old.");

interface FrameProps {
  readonly heading: ComponentChildren;
  readonly name: string;
  /** Address of the first page. */
  readonly home?: string;
  /** Why what is shown may be old. */
  readonly lost?: string | undefined;
  readonly children: ComponentChildren;
}

/** A page with its heading; `children` fill the rest of the window. */
export function Frame({ heading, name, home = "/", lost, children }: FrameProps) {
  return (
    <>
      <Top heading={heading} home={home} />
      {lost && (
        <p class="lost" role="alert">
          {lost}
        </p>
      )}
      <main class={name}>
        {children}
        <Tips />
      </main>
    </>
  );
}

const Top = pure(function Top({ heading, home }: { heading: ComponentChildren; home: string }) {
  const { settings, change } = useSettings();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const pressed = ({ target }: Event): void => {
      if (menu.current && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    document.addEventListener("pointerdown", pressed);
    return () => document.removeEventListener("pointerdown", pressed);
  }, []);
  return (
    <header class="top">
      <Link to={home}>
        <strong>Vinci</strong>
      </Link>
      <h1>{heading}</h1>
      <Help />
      <details
        class="settings"
        ref={menu}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== "Escape") return;
          currentTarget.open = false;
          currentTarget.querySelector("summary")?.focus();
        }}
      >
        <summary>{t("Settings")}</summary>
        <div>
          <label>
            {t("Colours")}
            <select value={settings.theme} onChange={(event) => change({ theme: event.currentTarget.value as Theme })}>
              {THEMES.map((theme) => (
                <option key={theme} value={theme}>
                  {translated(THEME_NAMES[theme])}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t("Language")}
            <select
              value={settings.language}
              onChange={(event) => change({ language: event.currentTarget.value as Settings["language"] })}
            >
              {LANGUAGES.map((language) => (
                <option key={language} value={language} lang={language}>
                  {LANGUAGE_NAMES[language]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t("Speed of others' moves")}
            <select
              value={settings.pace}
              onChange={(event) => change({ pace: PACES.find((pace) => String(pace) === event.currentTarget.value) ?? 0 })}
            >
              {PACES.map((pace) => (
                <option key={pace} value={pace}>
                  {translated(PACE_NAMES[pace])}
                </option>
              ))}
            </select>
          </label>
          {canNotify() && (
            <label class="check">
              <input
                type="checkbox"
                checked={settings.notices}
                onChange={({ currentTarget }) => {
                  if (currentTarget.checked) void mayNotify().then((notices) => change({ notices }));
                  else change({ notices: false });
                }}
              />{" "}
              {t("Notify me when it is my move")}
            </label>
          )}
          <label class="check">
            <input type="checkbox" checked={settings.hints} onChange={(event) => change({ hints: event.currentTarget.checked })} />{" "}
            {t("Hints until the first game is finished")}
          </label>
        </div>
      </details>
    </header>
  );
});

/** A link to another page of this server. */
export function Link({ to, children, look = "", label }: { to: string; children: ComponentChildren; look?: string; label?: string }) {
  return (
    <a
      href={to}
      class={look}
      aria-label={label}
      onClick={(event) => onPlainClick(event, () => go(to))}
    >
      {children}
    </a>
  );
}
