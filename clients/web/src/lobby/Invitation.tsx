/** Links for others with their QR codes, with the join code in the part that browsers keep to themselves. */

import { useEffect, useState } from "preact/hooks";

import { code, linkTo } from "../connection/access";
import { t } from "../i18n/i18n";

interface Drawn {
  readonly url: string;
  readonly box: string;
  /** Paths of the code with their colours. */
  readonly paths: readonly { readonly d: string; readonly dark: boolean; readonly transform: string }[];
}

export function Invitation({ path }: { path: string }) {
  return (
    <section class="card invitation" aria-labelledby="invite">
      <h2 id="invite">{t("Invite others")}</h2>
      <Shared link={linkTo(path)} />
    </section>
  );
}

/** A link of `linkTo` as a QR code, as text, and to be copied; `drawn` is called when it can be seen. */
export function Shared({ link, drawn: isDrawn }: { link: string; drawn?: () => void }) {
  const [drawn, setDrawn] = useState<Drawn>();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    let isGone = false;
    load(link).then(
      (found) => !isGone && setDrawn(found),
      () => !isGone && setDrawn({ url: location.origin + link, box: "", paths: [] }),
    );
    return () => {
      isGone = true;
    };
  }, [link]);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- told once, when it was drawn
  useEffect(() => drawn && isDrawn?.(), [drawn]);
  if (!drawn) return null;
  return (
    <div class="invitation">
      {drawn.box && isShared(drawn.url) && (
        <svg viewBox={drawn.box} role="img" aria-label={t("QR code of the link")}>
          {drawn.paths.map(({ d, dark, transform }) => (
            <path key={d} d={d} transform={transform} {...(dark ? { stroke: "#000", fill: "none" } : { fill: "#fff" })} />
          ))}
        </svg>
      )}
      {!isShared(drawn.url) && <p>{t("Only browsers on this machine can open this link. The owner of this server can let others in by starting it with: {command}", { command: `vinci serve --lan --web ${new URL(drawn.url).port}` })}</p>}
      <p class="link">
        <a href={drawn.url}>{drawn.url}</a>
      </p>
      {isShared(drawn.url) && "clipboard" in navigator && (
        <button
          onClick={() =>
            void navigator.clipboard.writeText(drawn.url).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {t("Copy the link")}
        </button>
      )}
      <span role="status">{isCopied && t("Copied.")}</span>
    </div>
  );
}

/** Return whether other machines can open a link. */
export const isShared = (url: string): boolean => !/^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);

async function load(path: string): Promise<Drawn> {
  const headers = { "content-type": "application/json", ...(code() ? { "vinci-access": code() } : {}) };
  const answer = await fetch("/qr", { method: "POST", headers, body: JSON.stringify({ path }) });
  if (!answer.ok) throw new Error(`/qr: ${answer.status}`);
  const { url, svg } = (await answer.json()) as { url: string; svg: string };
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const paths = Array.from(root.querySelectorAll("path"), (path) => ({
    d: path.getAttribute("d") ?? "",
    dark: path.hasAttribute("stroke"),
    transform: path.getAttribute("transform") ?? "",
  }));
  return { url, box: root.getAttribute("viewBox") ?? "", paths };
}
