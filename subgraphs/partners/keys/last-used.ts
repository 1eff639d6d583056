import type { Model } from 'mongoose';
import { updateEach } from '../../kernel/database/update-each.ts';
import type { Logger } from '../../kernel/log/log.ts';

/** A key or a session, whose last use is recorded. */
interface Used {
  _id: string;
  lastUsedAt?: Date;
}

interface LastUsedDeps<Document extends Used> {
  readonly model: Model<Document>;
  /** Its name in the log, such as `apiKey`. */
  readonly name: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** Last uses are recorded at most this often. */
export const LAST_USED_RESOLUTION_MS = 60_000;

/**
 * Records that keys or sessions were used, beside the calls: no call waits for it. Those that are used in the same turn of the
 * event loop share a command and its time, such as all that have subscriptions open.
 */
export function createLastUsed<Document extends Used>({
  model,
  name,
  log,
}: LastUsedDeps<Document>): (id: string, at: Date) => void {
  let noted = new Set<string>();
  const save = async (lastUsedAt: Date) => {
    const ids = [...noted];
    noted = new Set();
    try {
      await updateEach(
        model,
        // The cast: an id alone is a part of every document.
        ids.map((_id) => ({ _id }) as Partial<Document> & { _id: string }),
        {},
        { $set: { lastUsedAt } },
      );
    } catch (error) {
      log.warn({ err: error, ids }, `${name}.lastUsedAt not stored`);
    }
  };
  return (id, at) => {
    if (noted.size === 0) {
      setImmediate(() => void save(at));
    }
    noted.add(id);
  };
}
