/** Names and descriptions for codes, in the language of the page, as the server sends them; and names of players. */

import type { Board, Province, Sea, Trait } from "../gen/vinci/v1/game_pb";
import type { ListTraitsResponse, Match } from "../gen/vinci/v1/lobby_pb";
import { capital, language, listed, t, translated } from "../i18n/i18n";
import players from "../i18n/players.json";

const LEVELS = new Map(Object.entries(players.levels));
const CHARACTERS = new Map(Object.entries(players.characters));

type Texts = Readonly<Record<string, string>>;

export class Names {
  readonly provinces: ReadonlyMap<string, Province>;
  readonly traits: ReadonlyMap<string, Trait>;
  readonly seas: ReadonlyMap<string, Sea>;
  private players: readonly string[] = [];

  constructor(
    readonly board: Board,
    readonly rules: ListTraitsResponse,
    /** The seat of whoever reads what is written with these names, which is called "you"; 0 for none. */
    readonly you = 0,
  ) {
    this.provinces = new Map(board.provinces.map((province) => [province.code, province]));
    this.traits = new Map(rules.traits.map((trait) => [trait.code, trait]));
    this.seas = new Map(board.seas.map((sea) => [sea.code, sea]));
  }

  /** Return these names with the players of a match, for whoever plays a seat of it. */
  of(match: Match | undefined, you = 0): Names {
    const names = new Names(this.board, this.rules, you);
    names.players = (match?.seats ?? []).map(({ player }) => label(player.trim()));
    return names;
  }

  /** Return the name of the player of a seat. */
  player(seat: number): string {
    return this.players[seat - 1] || t("seat {seat}", { seat });
  }

  /** Return a seat as named in a sentence: player and number, which a guest has in the name. */
  seat(seat: number): string {
    const name = this.players[seat - 1];
    if (name === guest(seat)) return name;
    return name ? `${name} (${seat})` : t("seat {seat}", { seat });
  }

  /** Return a seat as named after a preposition. */
  whom(seat: number): string {
    return seat === this.you ? t("you") : this.seat(seat);
  }

  province(code: string): string {
    return textIn(this.provinces.get(code)?.names, code);
  }

  /** Return the name of a province as the object of a verb, with its article. */
  provinceObject(code: string): string {
    return textIn(this.provinces.get(code)?.objectNames, this.province(code));
  }

  /** Return provinces as the object of a verb. */
  provincesObject(codes: readonly string[]): string {
    return listed(codes.map((code) => this.provinceObject(code)));
  }

  sea(code: string): string {
    return textIn(this.seas.get(code)?.names, code);
  }

  terrain(code: string): string {
    return textIn(this.rules.terrains.find((terrain) => terrain.code === code)?.names, code);
  }

  /** Return the name of a trait; a star marks a lasting one. */
  trait(code: string): string {
    const plain = code.replace(/\*$/, "");
    return textIn(this.traits.get(plain)?.names, plain) + (code.endsWith("*") ? "*" : "");
  }

  /** Return a trait with what it does. */
  traitExplained(code: string): string {
    return t("{word}: ", { word: this.trait(code) }) + this.traitDescription(code);
  }

  traitDescription(code: string): string {
    return textIn((this.traits.get(code) ?? this.traits.get(code.replace(/\*$/, "")))?.descriptions);
  }

  /** Return traits as the name of a civilization, such as Weapons+Militia. */
  civilization(traits: readonly string[]): string {
    return traits.map((code) => this.trait(code)).join("+") || t("no lasting trait");
  }

  /** Return the name of a source of VP. */
  scoreSource(code: string): string {
    return textIn(this.rules.scoreSources.find((source) => source.code === code)?.names, code);
  }

  /** Return the name of an item of a cost. */
  costSource(code: string): string {
    return textIn(this.rules.costSources.find((source) => source.code === code)?.names, code);
  }
}

/** Return how a player without a name is called who has taken a seat. */
function guest(seat: number | string): string {
  return capital(`${t("guest")} ${seat}`);
}

/** Return a player in words: `Hard raider` for `hard:raider`, `Guest 2` for `human 2`, `Dummy` for `dummy`; another name as it is. */
export function label(word: string): string {
  if (word === "dummy") return capital(t("dummy"));
  const [isGuest, number] = /^human(?: (\d))?$/.exec(word) ?? [];
  if (isGuest) return number ? guest(number) : t("guest");
  const [, level = "", budget = "", character = ""] = /^(\w+)([:@]\d\w*)?(?::([a-z]\w*))?$/.exec(word) ?? [];
  const title = LEVELS.get(level)?.title;
  const found = CHARACTERS.get(character);
  if (!title || (character && !found)) return word;
  const named = budget ? level + budget : translated(title);
  const whole = found ? t("{level} {character}", { level: named, character: translated(found) }) : named;
  return budget ? whole : capital(whole);
}

/** Return the text in the language of the page, else in English, else `usual`. */
export function textIn(texts: Texts | undefined, usual = ""): string {
  return texts?.[language()] || texts?.["en"] || usual;
}
