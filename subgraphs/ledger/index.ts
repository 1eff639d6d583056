import type { Connection } from 'mongoose';
import { JournalResolver } from './graphql/resolver.ts';
import { type SealerDeps, sealEntries } from './seal.ts';
import { StatementResolver } from './statements/graphql/resolver.ts';
import { issueStatements, type StatementsDeps } from './statements/issue.ts';
import { createStatementModels } from './statements/model.ts';
import { createStatementReader } from './statements/reader.ts';
import { createLedgerModels } from './store/model.ts';

export { type EntryKind, isBalanced, isSame, type JournalLine, reverse, sumLines } from './chart.ts';
export { createJournal, type Journal } from './journal.ts';
export { createLedgerModels } from './store/model.ts';

/** The resolvers of the journal and of statements, for the subgraph of operations, which serves them. */
export function createLedgerResolvers(connection: Connection): object[] {
  return [
    new JournalResolver(createLedgerModels(connection)),
    new StatementResolver(createStatementReader(createStatementModels(connection))),
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
