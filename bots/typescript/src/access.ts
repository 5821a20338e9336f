// Access to a server: its join code, and TLS with the certificate whose fingerprint the code holds (docs/protocol.md#access).

import { createHash } from "node:crypto";
import { connect } from "node:tls";
import * as grpc from "@grpc/grpc-js";

const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const SECRET = 8;
const FINGERPRINT = 16;
const CONNECT_MS = 10_000;

/** The letters of a join code as the server has them; `o` is typed for 0, `i` and `l` for 1. */
export function lettersOf(code: string): string {
  return code.toLowerCase().replace(/[- ]/g, "").replace(/o/g, "0").replace(/[il]/g, "1");
}

/** The first 80 bits of the SHA-256 of a certificate (DER), in base 32. */
export function fingerprintOf(certificate: Buffer): string {
  const digest = createHash("sha256").update(certificate).digest().subarray(0, (FINGERPRINT * 5) / 8);
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (five) => LETTERS[parseInt(five, 2)]!);
}

/** Whether a code holds the fingerprint of a certificate: such a server speaks TLS. */
export function hasFingerprint(code: string): boolean {
  const letters = lettersOf(code); // a password may be as long
  return letters.length === SECRET + FINGERPRINT && [...letters].every((letter) => LETTERS.includes(letter));
}

/** Credentials for the server at this address. Throws if it is not there, or has another certificate than the code says. */
export async function credentialsFor(address: string, code: string): Promise<grpc.ChannelCredentials> {
  if (!hasFingerprint(code)) return grpc.credentials.createInsecure();
  const certificate = await certificateOf(address);
  if (fingerprintOf(certificate) !== lettersOf(code).slice(SECRET)) throw new OtherCertificate(address);
  const lines = certificate.toString("base64").match(/.{1,64}/g)!;
  return grpc.credentials.createSsl(
    Buffer.from(["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n")),
  );
}

/** The server is not the one that the code is for. */
export class OtherCertificate extends Error {
  constructor(address: string) {
    super(`the server at ${address} has another certificate than the code says`);
  }
}

/** The certificate of the server at this address, from a handshake that trusts anybody. */
function certificateOf(address: string): Promise<Buffer> {
  const [, host, port] = /^(.*):(\d+)$/.exec(address) ?? [];
  return new Promise((resolve, reject) => {
    const socket = connect({ host: host?.replace(/[[\]]/g, ""), port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().raw);
      socket.destroy();
    });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error("it does not answer")));
    socket.on("error", reject);
  });
}
