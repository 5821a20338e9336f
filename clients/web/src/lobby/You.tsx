import { useSettings } from "../frame";
import { t } from "../i18n/i18n";

/** The name under which the person here sits down. */
export function You() {
  const { settings, change } = useSettings();
  return (
    <label class="you">
      {t("Your name")}
      <input
        value={settings.name}
        maxLength={32}
        autocomplete="nickname"
        onInput={(event) => change({ name: event.currentTarget.value })}
      />
    </label>
  );
}
