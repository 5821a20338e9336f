/** The rules over the page that is open, which stays as it is. */

import { render } from "preact";
import { useState } from "preact/hooks";

import { t } from "../i18n/i18n";
import { Reader } from "./Reader";

/** Show the rules in a dialog, from a place of them on. */
export function showRules(anchor: string): void {
  const dialog = document.createElement("dialog");
  dialog.className = "rules-dialog";
  dialog.setAttribute("aria-label", t("Rules"));
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    render(null, dialog);
    dialog.remove();
  });
  render(<Rules start={anchor} close={() => dialog.close()} />, dialog);
  dialog.showModal();
}

function Rules({ start, close }: { start: string; close: () => void }) {
  const [target, setTarget] = useState({ anchor: start });
  return (
    <>
      <button class="act close" onClick={close}>
        {t("Close")}
      </button>
      <Reader target={target} follow={(anchor) => setTarget({ anchor })} />
    </>
  );
}
