import { hostname } from 'node:os';
import type { Connection } from 'mongoose';
import type { DatabaseClock } from '../../kernel/clock/database-clock.ts';
import { settingsInForce } from '../../kernel/config/in-force.ts';
import type { Config } from '../../kernel/config/load.ts';
import { newId } from '../../kernel/database/ids.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { productVersion } from '../../kernel/product-version.ts';
import { createProcessModel } from './model.ts';
import { createProcessRecorder, type ProcessRecorder } from './recorder.ts';

/**
 * Records this process with its version and its settings, so that operators see which processes run, and how they differ; and
 * compares its clock with the database's each time (decisions, section 8, "Clocks").
 */
export function recordProcess({
  connection,
  config,
  log,
  clock,
  check,
  onRefused,
  onUnwritable,
}: Pick<Parameters<typeof createProcessRecorder>[0], 'check' | 'onRefused'> & {
  connection: Connection;
  config: Config;
  log: Pick<Logger, 'warn'>;
  clock: Pick<DatabaseClock, 'now' | 'measure'>;
  /** Called once when the database has taken no write for over a minute. */
  onUnwritable?: () => void;
}): ProcessRecorder {
  const model = createProcessModel(connection);
  return createProcessRecorder({
    save: async ({ _id, seenAt, ...fixed }) => {
      await clock.measure();
      await retryOnConflict(() =>
        model.updateOne({ _id }, { $set: { seenAt }, $setOnInsert: fixed }, { upsert: true }).exec(),
      );
    },
    remove: (_id) => model.deleteOne({ _id }).exec(),
    self: {
      _id: newId('proc_'),
      role: config.ROLE,
      version: productVersion(),
      host: hostname(),
      pid: process.pid,
      startedAt: clock.now(),
      settings: settingsInForce(config),
    },
    ...{ check, onRefused, log },
    clock: clock.now,
    ...(onUnwritable && { onUnwritable }),
  });
}
