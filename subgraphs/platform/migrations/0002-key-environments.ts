import { provenEnvironment } from '../keys/environment.ts';
import { createApiKeyModel } from '../keys/model.ts';
import type { Migration } from './migration.ts';

const PAGE = 200;

/**
 * API keys of former versions get their environment, where the shown prefix proves it. Other keys get it at their next use,
 * before they are accepted; so do keys that a process of a former version makes meanwhile.
 */
export const keyEnvironments: Migration = {
  number: 2,
  name: 'key-environments',
  kind: 'expand',
  summary: 'API keys of former versions say whether they are live or sandbox',
  run: async ({ connection, progress, save, signal }) => {
    const keys = createApiKeyModel(connection);
    let last = typeof progress === 'string' ? progress : '';
    for (;;) {
      signal.throwIfAborted();
      const page = await keys
        .find({ _id: { $gt: last } })
        .sort({ _id: 1 })
        .limit(PAGE)
        .select({ prefix: 1, environment: 1 })
        .lean();
      for (const { _id, prefix, environment } of page) {
        const proven = environment === undefined ? provenEnvironment(prefix) : undefined;
        if (proven !== undefined) {
          await keys.updateOne({ _id, environment: { $exists: false } }, { environment: proven });
        }
      }
      const end = page.at(-1);
      if (end === undefined || page.length < PAGE) {
        return;
      }
      last = end._id;
      await save(last);
    }
  },
};
