import { rootCertificates } from 'node:tls';
import type { Connection } from 'mongoose';
import type { Config } from '../../../../subgraphs/kernel/config/load.ts';
import { readSettingFile } from '../../../../subgraphs/kernel/config/pem-file.ts';
import { createBlindIndex } from '../../../../subgraphs/kernel/crypto/blind-index.ts';
import { deriveKey } from '../../../../subgraphs/kernel/crypto/box.ts';
import type { Keyring } from '../../../../subgraphs/kernel/crypto/keyring.ts';
import type { Logger } from '../../../../subgraphs/kernel/log/log.ts';
import { printable } from '../../../../subgraphs/kernel/log/printable.ts';
import { createEvents } from '../../../../subgraphs/runtime/events/index.ts';
import { createWebhookModels } from '../../../../subgraphs/webhooks/model.ts';
import { createSigningKeys } from '../../../../subgraphs/webhooks/signing-key.ts';
import { listenForStop } from '../../../app/stop-signals.ts';
import { type Listened, type ListenOptions } from '../command.ts';
import { createCursorFile } from './cursor-file.ts';
import { listen } from './listen.ts';
import { createPoster } from './poster.ts';

interface CreateDeps {
  readonly config: Config;
  readonly connection: Connection;
  readonly keyring: Pick<Keyring, 'box' | 'keys'>;
  readonly log: Logger;
  /** How many partitions the event log has. */
  readonly partitions: number;
}

/** Listens on the configured database until the process stops. Messages go to standard error. */
export async function listenUntilStopped(
  { config, connection, keyring, log, partitions }: CreateDeps,
  options: ListenOptions,
): Promise<Listened> {
  const stopping = new AbortController();
  listenForStop({ stop: () => stopping.abort(), force: () => process.exit(130) });
  const events = createEvents({
    connection,
    log,
    cursorKeys: keyring.keys('cursor'),
    partitions,
    retentionDays: config.EVENT_RETENTION_DAYS,
    // It only follows the log.
    isClockRight: () => true,
  });
  const poster = createPoster({
    timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1000,
    ca: authoritiesOf(config),
  });
  try {
    const deps = {
      events,
      deliveries: createWebhookModels(connection).deliveries,
      box: keyring.box('webhooks'),
      signingKeyOf: createSigningKeys(
        createBlindIndex(deriveKey(Buffer.from(config.API_KEY_PEPPER), 'blind-index')),
      ),
      poster,
      cursors: createCursorFile(config.DATA_DIR, options.accountId),
      clock: () => new Date(),
      say: (line: string) => process.stderr.write(`${printable(line)}\n`),
    };
    return await listen(deps, options, stopping.signal);
  } finally {
    await events.close();
    await poster.close();
  }
}

function authoritiesOf({ WEBHOOK_CA_FILE: path }: Config): string[] | undefined {
  return path === undefined ? undefined : [...rootCertificates, readSettingFile('WEBHOOK_CA_FILE', path)];
}
