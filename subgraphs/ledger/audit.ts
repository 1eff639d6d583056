import type { AccountId } from '../kernel/account.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { Audited, Check } from '../runtime/audit/audit.ts';
import { pauseToConfirm } from '../runtime/audit/records.ts';
import { exportJournal } from './export.ts';
import type { LedgerModels } from './store/model.ts';
import { verifyExport } from './verify.ts';

/** An entry is sealed within seconds of its change. */
const UNSEALED_MS = 600_000;
const MOST_UNSEALED = 100;

/**
 * The check of the journal: its chain from the first day of the time on, or whole for all records, and that no entry waits for its place.
 * @param isAhead whether an account's clock was set forward: then entries of a moment ago may look old
 */
export function checkJournal(
  models: LedgerModels,
  box: Box,
  isAhead: (accountId: AccountId) => boolean,
): Check {
  return {
    name: 'journal',
    async *examine(accountId, { from, before }) {
      const day = from.getTime() === 0 ? undefined : from.toISOString().slice(0, 10);
      const verify = () => verifyExport(exportJournal(models, { accountId, from: day }), box, day);
      let isBroken = false;
      for await (const { entries: examined, findings } of verify()) {
        isBroken ||= findings.length > 0;
        yield { examined, found: [] };
      }
      if (isBroken) {
        await pauseToConfirm();
        for await (const { findings } of verify()) {
          yield { examined: 0, found: findings.map(({ place: record, text }) => ({ record, text })) };
        }
      }
      if (!isAhead(accountId)) {
        yield await findUnsealed(models, accountId, new Date(before.getTime() - UNSEALED_MS));
      }
    },
  };
}

async function findUnsealed({ entries }: LedgerModels, accountId: AccountId, before: Date): Promise<Audited> {
  const found = await entries
    .find({ pending: true, accountId, createdAt: { $lt: before } })
    .limit(MOST_UNSEALED)
    .select({ _id: 1 })
    .lean();
  const text = 'The entry has no place in the chain';
  return { examined: found.length, found: found.map(({ _id: record }) => ({ record, text })) };
}
