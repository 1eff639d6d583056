import type { Connection } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { JournalResolver } from './graphql/resolver.ts';
import { type SealerDeps, sealEntries } from './seal.ts';
import { createDiscrepancies } from './settlement/discrepancies.ts';
import { DiscrepancyResolver } from './settlement/graphql/resolver.ts';
import { createSettlementModels } from './settlement/model.ts';
import { StatementResolver } from './statements/graphql/resolver.ts';
import { issueStatements, type StatementsDeps } from './statements/issue.ts';
import { createStatementModels } from './statements/model.ts';
import { createLedgerModels } from './store/model.ts';

export { type EntryKind, isBalanced, isSame, type JournalLine, reverse, sumLines } from './chart.ts';
export { createJournal, type Journal } from './journal.ts';
export { createLedgerModels } from './store/model.ts';

/** The resolvers of the ledger, for the subgraph of operations, which serves it. */
export function createLedgerResolvers({
  connection,
  ...deps
}: {
  readonly connection: Connection;
  /** Seals texts that people write. */
  readonly box: Box;
  readonly accountClock: (accountId: AccountId) => Date;
}): object[] {
  const { discrepancies: model } = createSettlementModels(connection);
  return [
    new JournalResolver(createLedgerModels(connection)),
    new DiscrepancyResolver(createDiscrepancies({ ...deps, model })),
    new StatementResolver(createStatementModels(connection).statements),
  ];
}

/** Seals entries, see {@link sealEntries}. */
export function createSealer(
  deps: Omit<SealerDeps, 'models'> & { readonly connection: Connection },
): (signal: AbortSignal) => Promise<number> {
  const models = createLedgerModels(deps.connection);
  return (signal) => sealEntries({ ...deps, models }, signal);
}

/** Issues statements, see {@link issueStatements}. */
export function createStatementIssuer(
  deps: Omit<StatementsDeps, 'models'> & { readonly connection: Connection },
): (signal: AbortSignal) => Promise<number> {
  const models = { ...createLedgerModels(deps.connection), ...createStatementModels(deps.connection) };
  return (signal) => issueStatements({ ...deps, models }, signal);
}
