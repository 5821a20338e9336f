// Starts the bot. With VINCI_SEAT_TOKEN it plays one seat, as whoever started it says by the environment; otherwise, as
// `node dist/main.js [address] [name]`, every bot seat that asks for its name, VINCI_BOT_GAMES at once.

import { randomBytes } from "node:crypto";
import { play } from "./play";

const NAME = "typescript";
const GAMES = 10;
const { VINCI_ADDRESS, VINCI_SEAT_TOKEN, VINCI_SEED, VINCI_CODE, VINCI_BOT_NAME, VINCI_BOT_KEY, VINCI_BOT_GAMES } =
  process.env;
const [address = VINCI_ADDRESS ?? "localhost:7654", name = VINCI_BOT_NAME || NAME] = process.argv.slice(2);
const games = VINCI_BOT_GAMES ? Number(VINCI_BOT_GAMES) : GAMES;

if (!Number.isInteger(games) || games < 1) {
  console.error(`VINCI_BOT_GAMES is ${VINCI_BOT_GAMES}, which is no number of games from 1`);
  process.exit(1);
}

if (VINCI_SEAT_TOKEN) process.stdin.on("end", () => process.exit()).resume(); // nobody needs the bot any more

play({
  address,
  name,
  seed: VINCI_SEED ?? randomBytes(16).toString("hex"),
  token: VINCI_SEAT_TOKEN,
  code: VINCI_CODE,
  key: VINCI_BOT_KEY,
  games,
}).then(
  () => process.exit(),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
