/** The page: settings, the join code from the address, and the page that fits the address. */

import "./style/palette.css";
import "./style/tokens.css";
import "./style/base.css";

import { type FunctionComponent, render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { goAnew, onAddress } from "./address";
import { takeCodeFromAddress } from "./connection/access";
import { Frame, SettingsContext } from "./frame";
import { choose, language, t } from "./i18n/i18n";
import { pageOf } from "./routes";
import { keepSettings, readSettings, type Settings, type Theme } from "./settings";

type Shown = { View: FunctionComponent<{ parts: readonly string[] }>; parts: readonly string[]; path: string };

function App({ start }: { start: Settings }) {
  const [settings, setSettings] = useState(start);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let last = "";
    const open = async (event?: Event): Promise<void> => {
      const path = location.pathname;
      const found = pageOf(path);
      try {
        const View = found ? (await found.page.load()).default : NoPage;
        if (location.pathname !== path) return;
        last = location.href;
        setShown({ View, parts: found?.parts ?? [], path });
      } catch (error) {
        if (!event) throw error;
        if (event.type === "popstate") history.replaceState(null, "", last);
        else history.back();
        goAnew(path);
      }
    };
    void open();
    return onAddress((event) => void open(event));
  }, []);
  const change = (changed: Settings): void => {
    keepSettings(changed);
    void apply(changed).then(() => setSettings(changed));
  };
  if (!shown) return null;
  return (
    <SettingsContext.Provider value={{ settings, change }}>
      <shown.View key={`${shown.path} ${settings.language}`} parts={shown.parts} />
    </SettingsContext.Provider>
  );
}

function NoPage() {
  return (
    <Frame name="missing" heading="404">
      <p>{t("There is no such page.")}</p>
      <p>
        <a href="/">{t("To the matches")}</a>
      </p>
    </Frame>
  );
}

/** Make theme and language of the document those of the settings. */
async function apply(settings: Settings): Promise<void> {
  await choose(settings.language);
  document.documentElement.lang = language();
  paint(settings.theme);
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** Give the document the colours of a theme; "system" is the light or the dark one, also when the system changes. */
function paint(theme: Theme): void {
  const show = (): string => (document.documentElement.dataset["theme"] = prefersDark.matches ? "dark" : "light");
  prefersDark.onchange = theme === "system" ? show : null;
  if (theme === "system") show();
  else document.documentElement.dataset["theme"] = theme;
}

async function begin(): Promise<void> {
  takeCodeFromAddress();
  const settings = readSettings();
  await apply(settings);
  const place = document.getElementById("page");
  if (place) render(<App start={settings} />, place);
}

void begin();
