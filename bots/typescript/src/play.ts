// The bot's side of the wire: one stream, opened again when it breaks.

import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import * as loader from "@grpc/proto-loader";
import { credentialsFor, hasFingerprint, OtherCertificate } from "./access";
import { choose, fallback, picker } from "./choose";
import type { ProtoGrpcType } from "./generated/bot";
import type { ActionInput } from "./generated/vinci/v1/Action";
import type { BotServiceClient } from "./generated/vinci/v1/BotService";
import type { Decision } from "./generated/vinci/v1/Decision";
import type { Finished } from "./generated/vinci/v1/Finished";
import type { PlayResponse } from "./generated/vinci/v1/PlayResponse";
import type { Refused } from "./generated/vinci/v1/Refused";

/** Where and as whom to play. With a token it plays the game of that seat only, else those of all seats of its name. */
export interface Player {
  address: string;
  name: string;
  seed: string;
  token?: string;
  code?: string;
  key?: string;
  games: number;
}

/** After so long without the server a bot that plays one seat ends; others wait for the server. */
const GONE_MS = 30_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
const STORE_MS = 1_000;

const { INVALID_ARGUMENT, NOT_FOUND, UNAUTHENTICATED, PERMISSION_DENIED, FAILED_PRECONDITION, UNIMPLEMENTED } =
  grpc.status;
/** With one of these the server does not want the bot; everything else may pass. */
const UNWANTED = new Set([
  INVALID_ARGUMENT,
  NOT_FOUND,
  UNAUTHENTICATED,
  PERMISSION_DENIED,
  FAILED_PRECONDITION,
  UNIMPLEMENTED,
]);
/** Refusals after which the decision does not stand: it comes again when the seat is to act and may. */
const NOT_ASKED = new Set([
  "STALE_REVISION",
  "NOT_YOUR_SEAT",
  "NOT_SUBSTITUTED",
  "PAUSED",
  "SUBSTITUTED",
  "MATCH_ENDED",
  "GAME_OVER",
]);

/** The folder `proto` lies in this one, or at the root of Vinci's repository; the build looks there too. */
const PROTO = ["../proto", "../../../proto"].map((folder) => join(__dirname, folder));
const PACKAGE = grpc.loadPackageDefinition(
  loader.loadSync("vinci/v1/bot.proto", {
    includeDirs: PROTO,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  }),
) as unknown as ProtoGrpcType;

/**
 * Plays until the game of the player's token is over, or the server gone for good. Throws if the server does not want
 * the bot, or, with a token, never was there.
 */
export async function play(player: Player): Promise<void> {
  const seats = new Map<string, { matchId: string; seat: number }>(); // those that it plays, or had when the line broke
  let client: BotServiceClient | undefined;
  let connected = false;
  let lost: number | undefined;
  let wait = FIRST_WAIT_MS;
  for (;;) {
    let why: string;
    try {
      client ??= await open(player);
      const status = await converse(client, player, seats, () => {
        connected = true;
        lost = undefined;
        wait = FIRST_WAIT_MS;
      });
      if (status === "over") return;
      if (UNWANTED.has(status.code)) throw new Unwanted(status.details);
      why = status.details;
    } catch (error) {
      if (error instanceof Unwanted || error instanceof OtherCertificate) throw error;
      why = (error as Error).message;
    }
    if (lost === undefined) console.error(`connection lost: ${why}`);
    lost ??= Date.now();
    if (player.token && Date.now() - lost > GONE_MS) {
      if (connected) return console.error("the server is gone");
      throw new Error(`no server at ${player.address}: ${why}`);
    }
    await setTimeout(wait * (0.5 + Math.random() / 2));
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }
}

/** The server does not want the bot. */
class Unwanted extends Error {}

/** A client of the server; it connects when it is used. Throws if a server with TLS is not there, or is another one. */
async function open({ address, code = "" }: Player): Promise<BotServiceClient> {
  return new PACKAGE.vinci.v1.BotService(address, await credentialsFor(address, code), {
    ...(hasFingerprint(code) && { "grpc.ssl_target_name_override": "vinci" }),
    "grpc.keepalive_time_ms": 20_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.initial_reconnect_backoff_ms": FIRST_WAIT_MS,
    "grpc.max_reconnect_backoff_ms": LONGEST_WAIT_MS, // gRPC's own waits come on top of ours: up to two minutes
  });
}

/** One connection: "over" when the game of the player's token is, else how the stream ended. */
function converse(
  client: BotServiceClient,
  player: Player,
  seats: Map<string, { matchId: string; seat: number }>,
  heard: () => void,
): Promise<"over" | grpc.StatusObject> {
  const access = new grpc.Metadata();
  if (player.code) access.set("vinci-access", player.code);
  const stream = client.play(access);
  const decisions = new Map<string, Decision>();

  function answer({ matchId, seat, revision }: Decision, action: ActionInput): void {
    stream.write({ answer: { matchId, seat, revision, actions: [action] } });
  }

  async function decide(decision: Decision): Promise<void> {
    decisions.set(`${decision.matchId} ${decision.seat}`, decision);
    answer(decision, await choose(decision, picker(player.seed, decision.revision)));
  }

  async function reconsider({ matchId, seat, revision, played, refusal, triesLeft }: Refused): Promise<void> {
    const reason = refusal?.reason ?? "";
    if (NOT_ASKED.has(reason)) return;
    console.error(`refused: ${refusal?.rule} ${reason} ${JSON.stringify(refusal?.facts)}`);
    const decision = decisions.get(`${matchId} ${seat}`);
    if (!decision || decision.revision !== revision || played || !triesLeft) return;
    if (reason !== "STORE_FAILED") return answer(decision, fallback(decision));
    await setTimeout(STORE_MS);
    await decide(decision);
  }

  return new Promise((resolve) => {
    stream.on("data", async (response: PlayResponse) => {
      const { ping, welcome, seated, decision, refused, finished, requestRefused, notice } = response;
      heard();
      if (ping) stream.write({ pong: ping });
      if (welcome) console.log(`connected to a server of version ${welcome.version}`);
      const told = welcome?.notice || notice?.text;
      if (told) console.log(told);
      if (seated?.match) {
        seats.set(`${seated.match.matchId} ${seated.seat}`, { matchId: seated.match.matchId, seat: seated.seat });
        console.log(`seat ${seated.seat} of match ${seated.match.matchId}`);
      }
      const gone = finished ?? requestRefused;
      if (gone) seats.delete(`${gone.matchId} ${gone.seat}`);
      if (decision) await decide(decision);
      if (refused) await reconsider(refused);
      if (finished) {
        console.log(`match ${finished.matchId} ${result(finished)}`);
        if (player.token) resolve("over");
      }
    });
    stream.on("error", () => {}); // the status says it too
    stream.on("status", resolve);
    stream.write({
      hello: {
        name: player.name,
        key: player.key,
        games: player.games,
        seatTokens: player.token ? [player.token] : [],
        playing: player.token ? [] : [...seats.values()], // games may have ended while the line was broken
      },
    });
  });
}

function result({ ended, ranks, seat, vp }: Finished): string {
  if (!ranks.length) return `was ended: ${ended}`;
  return `is over: rank ${ranks[seat - 1]} of ${ranks.length}, VP ${vp.join(" ")}`;
}
