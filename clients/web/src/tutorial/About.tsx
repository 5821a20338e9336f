/** What the game is about, for who has not finished one in this browser; for others where to learn it. */

import { Link } from "../frame";
import { t } from "../i18n/i18n";
import { RulesLink } from "../rules/links";
import { isNewcomer } from "./hints";

/** With `isAside` the tutorial opens in a tab of its own, as the seat at hand waits here. */
export function About({ isAside = false }: { isAside?: boolean }) {
  const isNew = isNewcomer();
  const links = (
    <p>
      {isAside ? (
        // with its opener a tab also has the code of the server
        <a href="/tutorial" target="_blank" rel="opener">
          {t("Learn it in a short game")} {t("(in a new tab)")}
        </a>
      ) : (
        <Link to="/tutorial" look={isNew ? "act" : ""}>
          {t("Learn it in a short game")}
        </Link>
      )}{" "}
      ·{" "}
      <RulesLink>{t("Rules")}</RulesLink>
    </p>
  );
  if (!isNew) return links;
  return (
    <section class="card about" aria-labelledby="about">
      <h2 id="about">{t("What is Vinci?")}</h2>
      <p>
        {t("A board game: lead civilizations over Europe, one after the other. Spread while it is cheap, let one decline when it grows no more, and begin anew; all that you hold scores, and whoever has most points wins.")}
      </p>
      {links}
    </section>
  );
}
