// Starts the bot. With VINCI_SEAT_TOKEN it plays one seat, as whoever started it says by the environment; otherwise, as
// `node dist/main.js [address] [name]`, every bot seat that asks for its name.

import { randomBytes } from "node:crypto";
import { play } from "./play";

const NAME = "typescript";
const { VINCI_ADDRESS, VINCI_SEAT_TOKEN, VINCI_SEED, VINCI_CODE, VINCI_BOT_KEY } = process.env;
const [address = VINCI_ADDRESS ?? "localhost:7654", name = NAME] = process.argv.slice(2);

if (VINCI_SEAT_TOKEN) process.stdin.on("end", () => process.exit()).resume(); // nobody needs the bot any more

play({
  address,
  name,
  seed: VINCI_SEED ?? randomBytes(16).toString("hex"),
  token: VINCI_SEAT_TOKEN,
  code: VINCI_CODE,
  key: VINCI_BOT_KEY,
}).then(
  () => process.exit(),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
