/**
 * The person at this browser: a key that it makes when a name is first used, and that the server knows the name by. It is kept in
 * `localStorage`, which belongs to one server, and sent only by calls that ask who calls; never in an address.
 */

import { createClient } from "@connectrpc/connect";

import { type Person, PersonService } from "../gen/vinci/v1/person_pb";
import { type Seat } from "./access";
import { plain, transport } from "./clients";
import { failureOf } from "./errors";
import { HEADER, keepPersonKey, newPersonKey, personKey } from "./personKey";

const persons = createClient(PersonService, transport);

/** Refusals after which one plays as a guest: the server binds no names, or no more. */
const AS_GUEST: ReadonlySet<string> = new Set(["NO_PERSONS", "TOO_MANY_PERSONS"]);

/** Be the person of a name: bind it to the key of this browser, or rename its person. Without a name one is a guest. */
export async function playAs(name: string): Promise<void> {
  if (!name) return;
  const key = personKey() || newPersonKey();
  try {
    await persons.updatePerson({ name }, keyed(key));
    keepPersonKey(key);
  } catch (error) {
    if (!AS_GUEST.has(failureOf(error).reason)) throw error;
  }
}

/** Return the person of this browser; undefined for a guest. */
export async function person(): Promise<Person | undefined> {
  return personKey() ? (await persons.getPerson({}, plain)).person : undefined;
}

/** Return the seat of the person of this browser in a match; undefined without one. */
export async function resumed(matchId: string): Promise<Seat | undefined> {
  if (!personKey()) return undefined;
  const { seats } = await persons.resumeSeats({ matchId }, plain);
  return seats[0] && { seat: seats[0].seat, token: seats[0].seatToken };
}

/** Return a code by which another device becomes one of this person, and the seconds for which it works. */
export async function offerDevice(): Promise<{ code: string; seconds: number }> {
  return await persons.offerDeviceLink({}, plain);
}

/** Let this browser be one of the person who offered a code; it forgets whom it played as before. */
export async function acceptDevice(code: string): Promise<Person | undefined> {
  const key = newPersonKey();
  const answer = await persons.useDeviceLink({ code }, keyed(key));
  keepPersonKey(key);
  return answer.person;
}

/** Remove the name of the person everywhere on the server. */
export async function forget(): Promise<void> {
  await persons.forgetPerson({}, plain);
  keepPersonKey(undefined);
}

function keyed(key: string): { headers: Record<string, string>; timeoutMs: number } {
  return { ...plain, headers: { [HEADER]: key } };
}
