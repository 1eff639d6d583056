import type { Connection } from 'mongoose';
import { JournalResolver } from './graphql/resolver.ts';
import { createJournalReader } from './journal.ts';
import { createLedgerModels } from './store/model.ts';

export { type EntryKind, isSame, type JournalLine, reverse, sumLines, unbalanced } from './chart.ts';
export { createJournal, type Journal } from './journal.ts';
export { sealEntries } from './seal.ts';
export { createLedgerModels } from './store/model.ts';

/** The resolver of the journal, for the subgraph of operations, which serves it. */
export function createJournalResolver(connection: Connection): object {
  return new JournalResolver(createJournalReader(createLedgerModels(connection)));
}
