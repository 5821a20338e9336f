/** What is proposed at the table, and the vote on it. */

import { bearing, matches } from "../connection/clients";
import type { Proposal, ProposalKind } from "../gen/vinci/v1/lobby_pb";
import { t } from "../i18n/i18n";
import type { Table } from "../match/table";
import type { Play } from "./usePlay";
import { proposalOf } from "./wording";

/** Propose something, agree to it, or no longer be for it. */
export async function propose({ model, token }: Table, kind: ProposalKind, seat = 0, withdraw = false): Promise<undefined> {
  await matches.propose({ matchId: model.matchId, kind, seat, withdraw }, bearing(token));
  return undefined;
}

export function Proposals({ table, play }: { table: Table; play: Play }) {
  const { model, names } = table;
  const proposals = model.match?.proposals ?? [];
  return (
    <div class="proposals" role="status">
      {proposals.map((proposal) => (
        <p key={`${proposal.kind} ${proposal.seat}`}>
          {proposalOf(proposal, names)} <Vote table={table} play={play} proposal={proposal} />
        </p>
      ))}
    </div>
  );
}

function Vote({ table, play, proposal }: { table: Table; play: Play; proposal: Proposal }) {
  const { seat } = table.model;
  const { kind, missing, agreed } = proposal;
  const vote = (withdraw: boolean): void => play.attempt(() => propose(table, kind, proposal.seat, withdraw));
  if (agreed.includes(seat)) return <button onClick={() => vote(true)}>{t("Withdraw")}</button>;
  return missing.includes(seat) ? <button onClick={() => vote(false)}>{t("Agree")}</button> : null;
}
