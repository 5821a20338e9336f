/** The rules at an address of their own, `/rules#R-CONQ-3`. */

import { useEffect, useState } from "preact/hooks";

import { go, onAddress } from "../address";
import { Frame, Link } from "../frame";
import { t } from "../i18n/i18n";
import { Reader } from "./Reader";

export default function RulesPage() {
  const [target, setTarget] = useState(there);
  useEffect(() => onAddress(() => setTarget(there())), []);
  return (
    <Frame name="rules-page" heading={t("Rules")}>
      <Reader target={target} follow={(anchor) => go(`/rules#${anchor}`)} />
      <p>
        <Link to="/">{t("To the matches")}</Link>
      </p>
    </Frame>
  );
}

function there(): { anchor: string } {
  return { anchor: decodeURIComponent(location.hash.slice(1)) };
}
