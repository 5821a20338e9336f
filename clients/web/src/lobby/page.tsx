/** The lobby: the matches of the server. */

import { useEffect, useState } from "preact/hooks";

import { code, setCode } from "../connection/access";
import { lobby, plain } from "../connection/clients";
import { type Failure, failureOf } from "../connection/errors";
import { Frame, Link } from "../frame";
import { type Match, MatchStatus } from "../gen/vinci/v1/lobby_pb";
import { mark, t, translated } from "../i18n/i18n";

const PAGE = 50;
const STATUS: Record<MatchStatus, string> = {
  [MatchStatus.UNSPECIFIED]: "",
  [MatchStatus.OPEN]: mark("open"),
  [MatchStatus.RUNNING]: mark("running"),
  [MatchStatus.OVER]: mark("over"),
  [MatchStatus.ENDED]: mark("ended"),
};

export default function LobbyPage() {
  const [matches, setMatches] = useState<readonly Match[]>();
  const [failure, setFailure] = useState<Failure>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    lobby.listMatches({ pageSize: PAGE }, plain).then(
      (answer) => {
        setMatches(answer.matches);
        setFailure(undefined);
      },
      (error: unknown) => setFailure(failureOf(error)),
    );
  }, [tries]);
  return (
    <Frame name="lobby" heading={t("Matches")}>
      {failure && <p role="alert">{failure.text}</p>}
      {failure && !failure.isGone && <CodeForm entered={() => setTries(tries + 1)} />}
      {matches?.length === 0 && <p>{t("There are no matches yet.")}</p>}
      <ul class="matches">
        {matches?.map((match) => (
          <li key={match.matchId}>
            <Link to={`/m/${match.matchId}`}>{match.matchId}</Link> {translated(STATUS[match.status])} ·{" "}
            {match.seats.map(({ player }) => player || t("(open)")).join(", ")}
          </li>
        ))}
      </ul>
    </Frame>
  );
}

function CodeForm({ entered }: { entered: () => void }) {
  const [text, setText] = useState(code());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setCode(text);
        entered();
      }}
    >
      <label>
        {t("Join code or password")} <input value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button>{t("Enter")}</button>
    </form>
  );
}
