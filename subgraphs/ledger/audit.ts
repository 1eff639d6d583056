import type { Box } from '../kernel/crypto/box.ts';
import type { Check } from '../runtime/audit/audit.ts';
import { confirmed } from '../runtime/audit/audit.ts';
import { exportJournal } from './export.ts';
import type { LedgerModels } from './store/model.ts';
import { verifyExport } from './verify.ts';

/** An entry is sealed within seconds of its change. */
const UNSEALED_MS = 600_000;
const MOST_UNSEALED = 100;

/** The check of the journal: its chain from the first day of the time on, and that no entry waits for its place. */
export function checkJournal(models: LedgerModels, box: Box): Check {
  return {
    name: 'journal',
    async *examine(accountId, { from, before }, signal) {
      const day = new Date(Math.max(0, from.getTime())).toISOString().slice(0, 10);
      let examined = 0;
      const found = await confirmed(async () => {
        const lines = exportJournal(models, { accountId, from: day });
        const { entries, findings } = await verifyExport(lines, box);
        examined = entries;
        return findings.map(({ place: record, text }) => ({ record, text }));
      }, signal);
      yield { examined, found };
      const unsealed = await models.entries
        .find({ pending: true, accountId, createdAt: { $lt: new Date(before.getTime() - UNSEALED_MS) } })
        .limit(MOST_UNSEALED)
        .select({ _id: 1 })
        .lean();
      const text = 'The entry has no place in the chain';
      yield { examined: unsealed.length, found: unsealed.map(({ _id: record }) => ({ record, text })) };
    },
  };
}
