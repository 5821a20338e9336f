/** The link to a match with its QR code: others come by it, with the join code in the part that browsers keep to themselves. */

import { useEffect, useState } from "preact/hooks";

import { code, codeFragment } from "../connection/access";
import { t } from "../i18n/i18n";

interface Drawn {
  readonly url: string;
  readonly box: string;
  /** Paths of the code with their colours. */
  readonly paths: readonly { readonly d: string; readonly dark: boolean; readonly transform: string }[];
}

export function Invitation({ path }: { path: string }) {
  const [drawn, setDrawn] = useState<Drawn>();
  const [isCopied, setCopied] = useState(false);
  const whole = path + codeFragment();
  useEffect(() => {
    let isGone = false;
    load(whole).then(
      (found) => !isGone && setDrawn(found),
      () => !isGone && setDrawn({ url: location.origin + whole, box: "", paths: [] }),
    );
    return () => {
      isGone = true;
    };
  }, [whole]);
  if (!drawn) return null;
  return (
    <section class="card invitation" aria-labelledby="invite">
      <h2 id="invite">{t("Invite others")}</h2>
      {drawn.box && (
        <svg viewBox={drawn.box} role="img" aria-label={t("QR code of the link")}>
          {drawn.paths.map(({ d, dark, transform }) => (
            <path key={d} d={d} transform={transform} {...(dark ? { stroke: "#000", fill: "none" } : { fill: "#fff" })} />
          ))}
        </svg>
      )}
      <p class="link">
        <a href={drawn.url}>{drawn.url}</a>
      </p>
      {"clipboard" in navigator && (
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
    </section>
  );
}

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
