/** What the search of the rules says, and what players call things by other words than the rules; loaded with the rules. */

import type { Language } from "../i18n/i18n";

interface Texts {
  readonly search: string;
  readonly nothing: string;
  /** Said when other words are sought. */
  readonly instead: string;
  /** The part about editions and sources. */
  readonly rest: string;
  /** Beginnings of words by which something is sought, and the word of the rules. */
  readonly synonyms: Readonly<Record<string, string>>;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    search: "Search the rules",
    nothing: "Nothing in the rules has these words. The contents may lead on.",
    instead: "the rules do not have “{words}”; this has “{near}”",
    rest: "Editions and sources: for those who know the printed rules",
    synonyms: {
      castle: "fort", tower: "fort", wall: "fort", stronghold: "fort",
      soldier: "pawn", army: "pawn", armies: "pawn", troop: "pawn", unit: "pawn", token: "pawn", warrior: "pawn", meeple: "pawn",
      territor: "province", region: "province", countr: "province", nation: "civilization", tribe: "civilization", people: "civilization",
      ship: "galleys", boat: "galleys", fleet: "galleys", harbo: "port", money: "currency", coin: "currency", doctor: "medicine",
      invade: "conquest", invasion: "conquest", robot: "dummy", computer: "dummy", skill: "trait", abilit: "trait", winner: "wins", victory: "most VP",
    },
  },
  fr: {
    search: "Chercher dans les règles",
    nothing: "Rien dans les règles ne contient ces mots. Le sommaire peut aider.",
    instead: "les règles n'ont pas « {words} » ; ceci contient « {near} »",
    rest: "Éditions et sources : pour qui connaît les règles imprimées",
    synonyms: {
      château: "fort", forteresse: "fort", citadelle: "fort",
      soldat: "pion", armée: "pion", troupe: "pion", unité: "pion", jeton: "pion", guerrier: "pion",
      territoire: "province", région: "province", pays: "province", nation: "civilisation", peuple: "civilisation", tribu: "civilisation",
      bateau: "galères", navire: "galères", flotte: "galères", argent: "monnaie", médecin: "médecine", docteur: "médecine",
      envahi: "conquête", invasion: "conquête", robot: "joueur fictif", ordinateur: "joueur fictif", capacité: "trait", pouvoir: "trait", vainqueur: "gagne",
    },
  },
  nl: {
    search: "De regels doorzoeken",
    nothing: "Niets in de regels bevat deze woorden. De inhoud helpt misschien verder.",
    instead: "de regels hebben „{words}” niet; dit bevat „{near}”",
    rest: "Edities en bronnen: voor wie de gedrukte regels kent",
    synonyms: {
      kasteel: "fort", vesting: "fort", burcht: "fort", toren: "fort", muur: "fort",
      soldaat: "pion", soldaten: "pion", leger: "pion", troep: "pion", eenhe: "pion", krijger: "pion", fiche: "pion",
      gebied: "provincie", regio: "provincie", streek: "provincie", natie: "beschaving", volk: "beschaving", stam: "beschaving",
      schip: "galeien", schepen: "galeien", boot: "galeien", vloot: "galeien", geld: "munten", dokter: "geneeskunde",
      invasie: "verovering", aanvallen: "aanval", robot: "dummy", computer: "dummy", vaardighe: "eigenschap", kracht: "sterkte", winnaar: "wint",
    },
  },
  de: {
    search: "Regeln durchsuchen",
    nothing: "Nichts in den Regeln enthält diese Wörter. Der Inhalt hilft vielleicht weiter.",
    instead: "die Regeln haben „{words}“ nicht; dies enthält „{near}“",
    rest: "Ausgaben und Quellen: für alle, die die gedruckten Regeln kennen",
    synonyms: {
      burg: "festung", fort: "festung", kastell: "festung", schloss: "festung", turm: "festung", mauer: "festung",
      soldat: "stein", armee: "stein", truppe: "stein", einheit: "stein", krieger: "stein", bauer: "stein", spielfigur: "stein",
      gebiet: "provinz", region: "provinz", nation: "zivilisation", volk: "zivilisation", völker: "zivilisation", stamm: "zivilisation",
      schiff: "galeere", boot: "galeere", flotte: "galeere", geld: "währung", münze: "währung", arzt: "medizin",
      invasion: "eroberung", erobern: "eroberung", roboter: "dummy", computer: "dummy", fähigkeit: "eigenschaft", gewinner: "gewinnt",
    },
  },
};
