import type { Model } from 'mongoose';
import { updateEach } from '../database/update-each.ts';
import type { Logger } from '../log/log.ts';
import type { ApiKeyDocument } from './model.ts';

interface LastUsedDeps {
  readonly model: Model<ApiKeyDocument>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Records that keys were used, beside the calls: no call waits for it. Keys that are used in the same turn of the event loop
 * share a command and its time, such as all that have subscriptions open.
 */
export function createLastUsed({ model, log }: LastUsedDeps): (keyId: string, at: Date) => void {
  let noted = new Set<string>();
  const save = async (lastUsedAt: Date) => {
    const keyIds = [...noted];
    noted = new Set();
    try {
      await updateEach(
        model,
        keyIds.map((_id) => ({ _id })),
        {},
        { $set: { lastUsedAt } },
      );
    } catch (error) {
      log.warn({ err: error, keyIds }, 'apiKey.lastUsedAt not stored');
    }
  };
  return (keyId, at) => {
    if (noted.size === 0) {
      setImmediate(() => void save(at));
    }
    noted.add(keyId);
  };
}
