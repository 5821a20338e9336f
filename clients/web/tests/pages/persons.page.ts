/** Persons: seats that outlive a tab, other devices, own matches, a seat that is handed over, and names that are taken. */

import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";

import { complaints, DESK, LONG, open, PHONE, Server, stage } from "./world";

let server: Server;
let running: Browser;

stage((started) => {
  ({ server, running } = started);
}, "--code", "--bots", "");

/** Make a match through the page of somebody who has the join code, with a seat for a guest; return its page. */
async function hosted(name: string): Promise<Page> {
  const page = await open(running, server, `/#code=${server.code}`, DESK);
  await page.getByLabel("Your name").fill(name);
  await page.getByText("New match", { exact: true }).click();
  await page.getByLabel("How many").selectOption("3");
  await page.getByLabel("Seat 2").selectOption("human");
  await page.getByLabel("Seat 3").selectOption("dummy");
  await page.getByRole("button", { name: "Make this match" }).click();
  await page.getByRole("button", { name: "Leave the seat" }).waitFor();
  return page;
}

const pathOf = (page: Page): string => new URL(page.url()).pathname;

/** Open a link of the match in a new tab. */
async function tab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${server.url}${path}#code=${server.code}`);
  return page;
}

/** Wait until a page plays a seat, and return the sentence about whose move it is. */
async function whose(page: Page): Promise<string> {
  await page.locator(".play").waitFor();
  await page.locator(".menu, .prompt, .others").first().waitFor();
  expect(await page.getByText("You are watching.").count()).toBe(0);
  return await page.locator(".whose").innerText();
}

test.each([["Ben"], [""]])("a guest named '%s' closes the tab, opens the link again and plays on", async (name) => {
  const host = await hosted(`Ann with ${name || "nobody"}`);
  const path = pathOf(host);
  const guest = await open(running, server, `${path}#code=${server.code}`, PHONE);
  if (name) await guest.getByLabel("Your name").fill(name);
  await guest.getByRole("button", { name: "Take a seat" }).tap();
  await guest.getByText("(you)").waitFor();
  await whose(guest);
  await guest.close();
  const back = await tab(guest.context(), path);
  await whose(back);
  await host.close();
  await whose(await tab(host.context(), path));
  for (const page of [host, guest]) await page.context().close();
});

test("a person finds the own matches first, on other devices too, after a kill of the server", async () => {
  const host = await hosted("Carla");
  const path = pathOf(host);
  await host.getByLabel("Who sits at seat 2").selectOption("dummy");
  await host.locator(".play .act").waitFor();
  await host.getByRole("link", { name: "Vinci" }).click();
  const own = host.locator(".list.own .matches > li");
  await own.waitFor();
  expect(await own.innerText()).toContain("Your move.");
  await host.waitForFunction(() => document.title === "(1) Vinci");
  await host.getByText("You are Carla on this server").click();
  await host.getByRole("button", { name: "Use another device, too" }).click();
  const offer = host.locator("details", { hasText: "You are Carla" }).locator(".link a");
  const link = (await offer.getAttribute("href")) ?? "";
  expect(await complaints(host)).toEqual([]);
  expect(link).toContain(`#code=${server.code}&device=`);
  await server.kill();
  await server.run();
  await host.getByRole("button", { name: "Use another device, too" }).click();
  await expect.poll(async () => await offer.getAttribute("href"), { timeout: LONG }).not.toBe(link);
  const { pathname, hash } = new URL((await offer.getAttribute("href")) ?? "");
  const phone = await open(running, server, pathname + hash, PHONE);
  await phone.getByText("Play here as on your other device?").waitFor();
  expect(await complaints(phone)).toEqual([]);
  expect(phone.url()).not.toContain("device");
  await phone.getByRole("button", { name: "Yes, it was me" }).tap();
  const drawing = phone.waitForResponse(/GetBoardMap/);
  await phone.route(/ResumeSeats/, async (route) => {
    await drawing;
    await phone.waitForTimeout(1_000); // in which a page that does not wait for its seat shows the table to somebody who watches
    await route.continue();
  });
  await phone.locator(".list.own .matches > li").getByRole("link").tap();
  await phone.locator(".play").waitFor();
  expect(await phone.getByText("You are watching.").count()).toBe(0);
  expect(await whose(phone)).toContain("Your move.");
  expect(pathOf(phone)).toBe(path);
  expect(await phone.evaluate(() => document.cookie + JSON.stringify(sessionStorage))).not.toContain(
    await phone.evaluate(() => localStorage.getItem("vinci-person") ?? "no key"),
  );
  for (const page of [host, phone]) await page.context().close();
});

test("a seat is handed over by a link that needs no join code, and the page says where it went", async () => {
  const host = await hosted("Dora");
  await host.getByLabel("Who sits at seat 2").selectOption("dummy");
  await host.locator(".play .act").waitFor();
  await host.getByRole("button", { name: "More", exact: true }).click();
  await host.getByRole("button", { name: "Play on another device" }).click();
  const link = new URL((await host.locator(".offer .link a").getAttribute("href")) ?? "");
  expect(await host.locator(".offer code").innerText()).toContain(`--code ${server.code}`);
  const other = await open(running, server, link.pathname + link.hash, PHONE);
  await other.getByRole("button", { name: "Take the seat over" }).tap();
  expect(await whose(other)).toContain("Your move.");
  await host.getByText("Seat 1 is played elsewhere now.").waitFor();
  for (const page of [host, other]) await page.context().close();
});

test("a name that belongs to somebody else is refused with names that are free; a person can be forgotten", async () => {
  const host = await hosted("Emil");
  const other = await open(running, server, `${pathOf(host)}#code=${server.code}`, DESK);
  await other.getByLabel("Your name").fill("emil");
  await other.getByRole("button", { name: "Take a seat" }).click();
  const refusal = await other.getByRole("alert").innerText();
  expect(refusal).toMatch(/The name 'emil' belongs to somebody else on this server; free are emil 2, emil 3 and emil 4\./);
  await host.getByRole("link", { name: "Vinci" }).click();
  await host.getByText("You are Emil on this server").click();
  await host.getByRole("button", { name: "Forget me" }).click();
  await host.getByRole("dialog").getByRole("button", { name: "Forget me" }).click();
  await host.getByText("You are Emil on this server").waitFor({ state: "detached" });
  await other.getByRole("button", { name: "Take a seat" }).click();
  await other.getByText("(you)").waitFor();
  for (const page of [host, other]) await page.context().close();
});
