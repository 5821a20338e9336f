/** SHA-256 and random numbers; pages over plain HTTP have no `crypto.subtle`. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** Return the SHA-256 of a text in hexadecimal. */
export function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Return a random nonce of 128 bits. */
export function newNonce(): string {
  return bytesToHex(randomBytes(16));
}
