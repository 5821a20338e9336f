/** The pages, by address. A page is a folder and a line here; its code is loaded when it is opened. */

import type { FunctionComponent } from "preact";

export interface Page {
  /** Addresses of the page; its groups are given to the page as `parts`. */
  readonly path: RegExp;
  readonly load: () => Promise<{ default: FunctionComponent<{ parts: readonly string[] }> }>;
}

export const PAGES: readonly Page[] = [
  { path: /^\/$/, load: () => import("./lobby/page") },
  { path: /^\/league$/, load: () => import("./league/page") },
  { path: /^\/players$/, load: () => import("./players/page") },
  { path: /^\/players\/(person|bot)\/(.+)$/, load: () => import("./players/page") },
  { path: /^\/tutorial$/, load: () => import("./tutorial/page") },
  { path: /^\/rules$/, load: () => import("./rules/page") },
  { path: /^\/r$/, load: () => import("./replay/page") },
  { path: /^\/league\/games\/(\d+-\d+)$/, load: () => import("./replay/page") },
  { path: /^\/m\/([0-9a-z]{1,64})$/, load: () => import("./match/page") },
];

/** Return the page of an address and the parts of the address that it asks for; undefined if there is none. */
export function pageOf(path: string): { page: Page; parts: readonly string[] } | undefined {
  for (const page of PAGES) {
    const found = page.path.exec(path);
    if (found) return { page, parts: found.slice(1) };
  }
  return undefined;
}
