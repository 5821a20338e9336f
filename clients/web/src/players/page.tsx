/** The players of a server with their ratings, or one of them. */

import "../league/league.css";
import "../lobby/lobby.css";
import "./players.css";

import { List } from "./List";
import { OnePlayer } from "./OnePlayer";

export default function PlayersPage({ parts: [kind, name] }: { parts: readonly string[] }) {
  return name ? <OnePlayer isBot={kind === "bot"} name={decoded(name)} /> : <List />;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // no name has it, which the server says
  }
}
