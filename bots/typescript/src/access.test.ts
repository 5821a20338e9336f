import { equal } from "node:assert/strict";
import { test } from "node:test";
import { fingerprintOf, hasFingerprint, lettersOf } from "./access";

test("a code is read as it may be typed", () => {
  equal(lettersOf("K3F9-XA2M"), "k3f9xa2m");
  equal(lettersOf("o1lI 0O"), "011100");
});

test("only a long code holds a fingerprint; a short one and a password do not", () => {
  equal(hasFingerprint("k3f9-xa2m-0000-1111-2222-3333"), true);
  equal(hasFingerprint("k3f9-xa2m"), false);
  equal(hasFingerprint("a password of 24 letters"), false);
});

test("a fingerprint is the first 80 bits of the SHA-256, in base 32", () => {
  equal(fingerprintOf(Buffer.from("")), "werc8gmrzge196qv");
});
