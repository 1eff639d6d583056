import type { Connection } from 'mongoose';
import { JournalResolver } from './graphql/resolver.ts';
import { type SealerDeps, sealEntries } from './seal.ts';
import { createLedgerModels } from './store/model.ts';

export { type EntryKind, isBalanced, isSame, type JournalLine, reverse, sumLines } from './chart.ts';
export { createJournal, type Journal } from './journal.ts';
export { createLedgerModels } from './store/model.ts';

/** The resolver of the journal, for the subgraph of operations, which serves it. */
export function createJournalResolver(connection: Connection): object {
  return new JournalResolver(createLedgerModels(connection));
}

/** Seals entries, see {@link sealEntries}. */
export function createSealer(
  deps: Omit<SealerDeps, 'models'> & { readonly connection: Connection },
): (signal: AbortSignal) => Promise<number> {
  const models = createLedgerModels(deps.connection);
  return (signal) => sealEntries({ ...deps, models }, signal);
}
