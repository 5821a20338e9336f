/** The end of the conquests: pawns are placed anew in the part of the empire that is kept, and forts are built. */

import { t } from "../i18n/i18n";
import { Placement } from "./Placement";
import { keepingPart, suggested } from "./plan";
import type { ModeProps } from "./usePlay";

export function Hold(props: ModeProps) {
  const { table, decision } = props;
  const { legal, choice, choose } = decision;
  const { names } = table;
  const parts = legal.hold?.parts ?? [];
  const given = parts.flatMap(({ provinces }) => provinces).filter((code) => !choice.plan?.pawns.get(code));
  return (
    <>
      {parts.length > 1 && (
        <fieldset class="parts">
          <legend>{t("Your empire lies in parts; keep one of them:")}</legend>
          {parts.map(({ provinces }, part) => (
            <label key={part} class="check">
              <input
                type="radio"
                name="part"
                checked={choice.plan?.part === part}
                onChange={() => choose({ plan: keepingPart(legal, part) })}
              />{" "}
              {provinces.map((code) => names.province(code)).join(", ")}
            </label>
          ))}
        </fieldset>
      )}
      {parts.length > 0 && <Placement {...props} />}
      <div class="others">
        {given.length > 0 && (
          <p class="bad">{t("Abandoned: {provinces}.", { provinces: given.map((code) => names.province(code)).join(", ") })}</p>
        )}
        {parts.length > 0 && (
          <button class="quiet" onClick={() => choose({ plan: suggested("hold", legal) })}>
            {t("Defend evenly")}
          </button>
        )}
      </div>
    </>
  );
}
