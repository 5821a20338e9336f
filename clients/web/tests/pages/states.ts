/** The states of the pages, for tests of each and for pictures. */

import type { Browser, BrowserContextOptions, Page } from "playwright-core";

import { introduce, open, ready, type Server, sit, through } from "./world";

/** A server, a browser and a kind of screen. */
export interface Place {
  readonly server: Server;
  readonly running: Browser;
  readonly screen: BrowserContextOptions;
}

const OWN = "LUS^ CAS BAE PYR AQU^ NEU^ RHI^";
const OTHERS =
  "seat 2 dummy vp=74 | POR*+SLA IRL=3 MER=2 WES=2 ARM=2 FLA=2 | - MAS PRO ALP DAL MAC CAU TAU;" +
  " seat 3 dummy vp=56 | WEA+GEN PAN=2 DAC=2 PON=3 VOL=3 | - LOM NAP;" +
  " seat 4 dummy vp=84 | FOR+MED SVE=1 DEN=1 FIN=1 POL=2 HEL=2 THR=1 LIV=1 NOV=1 RUT=1 MUS=2 BIT=2;" +
  " neutral SAX BAV POM; market MIN*+REV:1 MIN+POR*:1 MIL+AGR*:1 SPI+AST:1 GAL+LIV GAL+HER; fills 13";

/** Return a position in which nearly all provinces are held. */
function crowded(turn: string, own: string, rules = "target=120", order = "1 3 4 2"): string {
  return `europe; rules standard ${rules}; round 8; order ${order}; turn ${turn}; seat 1 ${own} | - ${OWN}; ${OTHERS}`;
}

const DRAFT = crowded("1 draft", "vp=63 | ");
const START = crowded("1 start", "vp=63 | DIP+REN reserve=9 LAP BOH");
/** The own decision in the middle of the conquests. */
export const CONQUER = crowded("1 conquer", "vp=63 | DIP+REN reserve=5 LAP=4 BOH=2");
const RENAISSANCE = crowded("1 renaissance", "vp=70 | DIP+REN LAP=5 BOH=5");
const REDEPLOY = crowded("3 redeploy=1", "vp=63 survivors=2 | DIP+REN LAP=4 BOH=4");
/** The last decision of a game. */
const LAST = crowded("1 conquer", "vp=88 | DIP+SPE LAP=4 BOH=4", "target=120 max_rounds=8", "2 3 4 1");

async function made(server: Server, request: object): Promise<string> {
  const { match } = await server.call<{ match: { matchId: string } }>("LobbyService/CreateMatch", { startWhenFull: true, ...request });
  return match.matchId;
}

/** Open the page of a position and take the seat. */
async function seated({ server, running, screen }: Place, position: string): Promise<Page> {
  const page = await open(running, server, `/m/${await made(server, { position })}`, screen);
  await sit(page, "Ann");
  return page;
}

/** Open the page of a position and choose what to decide about. */
async function deciding(place: Place, position: string, mode: string): Promise<Page> {
  const page = await seated(place, position);
  await page.locator(".modes").getByText(mode, { exact: true }).click();
  return page;
}

async function previewed(page: Page): Promise<Page> {
  await ready(page);
  return page;
}

/** A match that waits for one more, as its host or as somebody who comes by its link sees it. */
async function room({ server, running, screen }: Place, isHost: boolean): Promise<Page> {
  if (!isHost) {
    const seats = [{ kind: "SEAT_KIND_HUMAN" }, { kind: "SEAT_KIND_HUMAN" }, { kind: "SEAT_KIND_DUMMY" }];
    const matchId = await made(server, { seats });
    await server.call("LobbyService/JoinMatch", { matchId, player: "Ann" });
    const page = await open(running, server, `/m/${matchId}`, screen);
    await page.getByRole("button", { name: "Take a seat" }).waitFor();
    return page;
  }
  const page = await open(running, server, "/", screen);
  await introduce(page, "Ann");
  await page.getByText("New match", { exact: true }).click();
  await page.getByLabel("Seat 2").selectOption("human");
  await page.getByRole("button", { name: "Make this match" }).click();
  await page.getByRole("button", { name: "Leave the seat" }).waitFor();
  await page.locator(".invitation .link").waitFor();
  return page;
}

/** Open the page of a match as somebody who watches, and choose a pane. */
async function watching({ server, running, screen }: Place, pane: string): Promise<Page> {
  const matchId = await made(server, { position: CONQUER });
  const { seatToken } = await server.call<{ seatToken: string }>("LobbyService/JoinMatch", { matchId, player: "Ann" });
  const played = ["x SAX", ...(pane === "curve" ? ["hold BOH=6 SAX=5", "stay"] : [])]; // lines begin with the end of a turn
  for (const [number, notation] of played.entries()) {
    await server.call("MatchService/Act", { matchId, requestId: String(number), actions: [{ notation }] }, seatToken);
  }
  await server.call("MatchService/Chat", { matchId, text: "Saxony is mine." }, seatToken);
  const page = await open(running, server, `/m/${matchId}`, screen);
  await page.getByText("You are watching.").waitFor();
  const tab = page.locator(`#tab-${pane}`);
  if (await tab.isVisible()) await tab.click(); // on a desk the market is always shown
  if (pane === "curve") await page.locator(".lines").waitFor();
  return page;
}

/** Play the last move of a game. */
async function ended(place: Place): Promise<Page> {
  const page = await previewed(await seated(place, LAST));
  await page.locator(".play .act").click();
  await page.locator(".outcome").first().waitFor();
  return page;
}

/** A table of six that chooses among six civilizations. */
async function six({ server, running, screen }: Place): Promise<Page> {
  const seats = ["HUMAN", "DUMMY", "DUMMY", "DUMMY", "DUMMY", "DUMMY"].map((kind) => ({ kind: `SEAT_KIND_${kind}` }));
  const page = await open(running, server, `/m/${await server.solo({ seats, seed: "six" })}`, screen);
  await sit(page, "Ann");
  await page.locator(".option:enabled").last().click();
  await ready(page);
  return page;
}

/** Lose provinces to two dummies, and get the turn again. */
async function told({ server, running, screen }: Place): Promise<Page> {
  const position =
    "europe; rules standard target=90; round 2; turn 1 start; seat 1 vp=20 | DIP+SPE reserve=8 BOH BAV SAX; " +
    "seat 2 dummy vp=12 | WEA+MIL POL=4 LIV=3; seat 3 dummy vp=14 | AST+BAR NEU=5 AQU=4";
  const page = await open(running, server, `/m/${await server.solo({ position, seed: "recap" })}`, screen);
  await sit(page, "Ann");
  await page.locator(".chips button").filter({ hasText: "Pomerania" }).click();
  await ready(page);
  await through(page, async () => await page.locator(".play .act").click());
  await page.getByRole("button", { name: "End the conquests" }).click();
  await ready(page);
  await through(page, async () => await page.locator(".play .act").click());
  await page.locator(".news li").nth(2).waitFor();
  return page;
}

/** Open an address as somebody who has never been there. */
async function newcomer({ server, running, screen }: Place, path: string): Promise<Page> {
  const page = await open(running, server, "/", screen);
  await page.evaluate(() => localStorage.setItem("vinci-settings", JSON.stringify({ language: "en", pace: 0 })));
  await page.goto(server.url + path);
  return page;
}

/** How each state is reached; those of `PHASES` are drawn. */
export const STATES: Readonly<Record<string, (place: Place) => Promise<Page>>> = {
  lobby: async ({ server, running, screen }) => {
    const matchId = await made(server, { position: CONQUER });
    const [human, dummy] = [{ kind: "SEAT_KIND_HUMAN" }, { kind: "SEAT_KIND_DUMMY" }];
    await server.call("LobbyService/JoinMatch", { matchId, player: "Ann" });
    for (const seats of [[human, dummy, dummy], [human, human, human, human]]) {
      const matchId = await made(server, { seats });
      await server.call("LobbyService/JoinMatch", { matchId, player: "Ben" });
    }
    const page = await open(running, server, "/", screen);
    await page.getByRole("link", { name: matchId }).waitFor();
    return page;
  },
  "new-match": async ({ server, running, screen }) => {
    const page = await open(running, server, "/", screen);
    await page.getByText("New match", { exact: true }).click();
    await page.getByText("More options", { exact: true }).click();
    await page.getByText("Take over a seat from another device").click();
    return page;
  },
  "room-host": async (place) => await room(place, true),
  room: async (place) => await room(place, false),
  watch: async (place) => await watching(place, "log"),
  market: async (place) => await watching(place, "market"),
  empires: async (place) => await watching(place, "empires"),
  curve: async (place) => await watching(place, "curve"),
  chat: async (place) => await watching(place, "chat"),
  seats: async (place) => await watching(place, "seats"),
  draft: async (place) => {
    const page = await seated(place, DRAFT);
    await page.locator(".option").nth(1).click();
    await ready(page);
    return page;
  },
  conquer: async (place) => {
    const page = await seated(place, CONQUER);
    await page.locator(".chips button").first().click();
    await ready(page);
    return page;
  },
  six,
  peace: async (place) => await deciding(place, START, "Peace"),
  abandon: async (place) => await deciding(place, START, "Abandon"),
  decline: async (place) => await previewed(await deciding(place, START, "Decline")),
  hold: async (place) => await previewed(await deciding(place, CONQUER, "End the conquests")),
  stay: async (place) => await previewed(await seated(place, RENAISSANCE)),
  redeploy: async (place) => await previewed(await seated(place, REDEPLOY)),
  suggestion: async (place) => {
    const page = await seated(place, CONQUER);
    await page.getByRole("button", { name: "Suggest" }).click();
    await page.getByRole("button", { name: "Choose it" }).click();
    return page;
  },
  menu: async (place) => {
    const page = await seated(place, CONQUER);
    for (const name of ["More", "Play on another device", "Keyboard"]) await page.getByRole("button", { name, exact: true }).click();
    await page.locator(".offer").waitFor();
    return page;
  },
  resign: async (place) => {
    const page = await seated(place, CONQUER);
    for (const name of ["More", "Resign"]) await page.getByRole("button", { name, exact: true }).click();
    return page;
  },
  over: ended,
  replay: async (place) => {
    const page = await ended(place);
    await page.getByRole("button", { name: "See it again" }).click();
    await page.locator(".film").waitFor();
    await page.getByRole("slider").press("Home"); // it plays
    return page;
  },
  "replay-file": async ({ server, running, screen }) => {
    const page = await open(running, server, "/r", screen);
    await page.locator("input[type=file]").setInputFiles({ name: "wrong.jsonl", mimeType: "text/plain", buffer: Buffer.from("{}") });
    await page.getByRole("alert").first().waitFor();
    return page;
  },
  settings: async (place) => {
    const page = await seated(place, CONQUER);
    await page.getByText("Settings").click();
    return page;
  },
  welcome: async (place) => {
    const page = await newcomer(place, "/");
    await page.getByRole("region", { name: "What is Vinci?" }).waitFor();
    return page;
  },
  "own-games": async (place) => {
    const page = await seated(place, CONQUER);
    await page.getByRole("link", { name: "Vinci" }).click();
    await page.locator(".list.own .matches > li").first().waitFor();
    await page.getByText("You are Ann on this server").click();
    await page.getByRole("button", { name: "Use another device, too" }).click();
    await page.locator("details .link").waitFor();
    return page;
  },
  hint: async (place) => {
    const page = await newcomer(place, `/m/${await made(place.server, { position: START })}`);
    await sit(page, "Ann");
    await page.getByRole("region", { name: "Hint" }).waitFor();
    return page;
  },
  recap: told,
  waiting: async (place) => {
    const seats = ["HUMAN", "HUMAN", "DUMMY"].map((kind) => ({ kind: `SEAT_KIND_${kind}` }));
    const matchId = await made(place.server, { seats, seed: "two" });
    await place.server.call("LobbyService/JoinMatch", { matchId, player: "Ben" });
    const page = await open(place.running, place.server, `/m/${matchId}`, place.screen);
    await introduce(page, "Ann");
    await page.getByRole("button", { name: "Take a seat" }).click();
    await page.locator(".play").waitFor();
    return page;
  },
  tutorial: async (place) => {
    const page = await newcomer(place, "/tutorial");
    await page.getByRole("button", { name: "Begin" }).waitFor();
    return page;
  },
  lesson: async (place) => {
    const page = await newcomer(place, "/tutorial");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator(".option").nth(1).click();
    await ready(page);
    return page;
  },
  rules: async (place) => {
    const page = await newcomer(place, "/rules");
    await page.getByRole("heading", { name: "The game in short" }).waitFor();
    return page;
  },
  "rules-dialog": async (place) => {
    const page = await seated(place, CONQUER);
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "The game in short" }).waitFor();
    return page;
  },
  missing: async ({ server, running, screen }) => {
    const page = await open(running, server, "/", screen);
    await page.evaluate(() => {
      history.pushState(null, "", "/nowhere");
      window.dispatchEvent(new PopStateEvent("popstate"));
    });
    await page.getByText("There is no such page.").waitFor();
    return page;
  },
};

/** The states with a picture in docs/pictures/web. */
export const PHASES = ["lobby", "room-host", "watch", "draft", "conquer", "peace", "abandon", "hold", "decline", "stay", "redeploy", "over", "replay"];
