import type { AccountId } from '../kernel/account.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { type Audited, type Check, pauseToConfirm } from '../runtime/audit/audit.ts';
import { exportJournal } from './export.ts';
import type { LedgerModels } from './store/model.ts';
import { createVerifier, verifyExport } from './verify.ts';

/** An entry is sealed within seconds of its change. */
const UNSEALED_MS = 600_000;
const MOST_UNSEALED = 100;
/** Entries between two signs of progress. */
const AT_ONCE = 1_000;

/** The check of the journal: its chain from the first day of the time on, and that no entry waits for its place. */
export function checkJournal(models: LedgerModels, box: Box): Check {
  return {
    name: 'journal',
    async *examine(accountId, { from, before }, signal) {
      const lines = () => exportJournal(models, { accountId, from: from.toISOString().slice(0, 10) });
      const verifier = createVerifier(box);
      let examined = 0;
      for await (const line of lines()) {
        verifier.read(line);
        examined += line.type === 'entry' ? 1 : 0;
        if (examined === AT_ONCE) {
          yield { examined, found: [] };
          examined = 0;
        }
      }
      let { findings } = verifier.finish();
      if (findings.length > 0) {
        await pauseToConfirm(signal);
        ({ findings } = await verifyExport(lines(), box));
      }
      yield { examined, found: findings.map(({ place: record, text }) => ({ record, text })) };
      yield await findUnsealed(models, accountId, new Date(before.getTime() - UNSEALED_MS));
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
