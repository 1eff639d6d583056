import { newId } from '../kernel/database/ids.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { isBalanced } from './chart.ts';
import type { EntryDocument, LedgerModels, NewEntry } from './store/model.ts';

/** The writing side of the journal. */
export interface Journal {
  /**
   * Posts entries in the caller's transaction: they are in the journal exactly when the change itself is. Two entries for a
   * version of an entity end the transaction with a duplicate key error. They get their places in the chain after the commit.
   * @throws TypeError for lines that do not balance
   */
  post(entries: readonly NewEntry[], unit: UnitOfWork): void;
}

export function createJournal({ entries: model }: Pick<LedgerModels, 'entries'>): Journal {
  return {
    post: (entries, unit) => {
      for (const { entityId, version, lines } of entries) {
        if (!isBalanced(lines)) {
          throw new TypeError(`The entry for version ${version} of ${entityId} does not balance`);
        }
      }
      unit.insert(
        model,
        entries.map((entry): EntryDocument => ({ _id: newId('je_'), ...entry, pending: true })),
      );
    },
  };
}
