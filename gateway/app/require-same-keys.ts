import type { Connection } from 'mongoose';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { checkKeys, secretsOf } from '../../subgraphs/kernel/crypto/key-check.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';

/** In production, data under other secrets stops the start. In development it may be intended, so it is only logged. */
export async function requireSameKeys(connection: Connection, config: Config, log: Logger): Promise<void> {
  const issue = await checkKeys(connection, secretsOf(config));
  if (issue && config.NODE_ENV === 'production') {
    throw issue;
  }
  if (issue) {
    log.warn(issue.message);
  }
}
