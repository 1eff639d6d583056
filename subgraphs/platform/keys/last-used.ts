import type { Model } from 'mongoose';
import type { Logger } from '../log/log.ts';
import type { ApiKeyDocument } from './model.ts';

interface LastUsedDeps {
  readonly model: Pick<Model<ApiKeyDocument>, 'bulkWrite'>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Records when keys were used, beside the calls: no call waits for it. Keys that are used in the same turn of the event loop
 * share a command, such as all that have subscriptions open.
 */
export function createLastUsed({ model, log }: LastUsedDeps): (keyId: string, at: Date) => void {
  let noted = new Map<string, Date>();
  const save = async () => {
    const uses = [...noted];
    noted = new Map();
    try {
      const updates = uses.map(([_id, lastUsedAt]) => ({
        updateOne: { filter: { _id }, update: { $set: { lastUsedAt } } },
      }));
      await model.bulkWrite(updates, { ordered: false });
    } catch (error) {
      log.warn({ err: error, keyIds: uses.map(([keyId]) => keyId) }, 'apiKey.lastUsedAt not stored');
    }
  };
  return (keyId, at) => {
    if (noted.size === 0) {
      setImmediate(() => void save());
    }
    noted.set(keyId, at);
  };
}
