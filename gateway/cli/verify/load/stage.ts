import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { accountOf } from '../../../../subgraphs/kernel/account.ts';
import { loadConfig } from '../../../../subgraphs/kernel/config/load.ts';
import { createLogger } from '../../../../subgraphs/kernel/log/log.ts';
import { newWebhookSecret } from '../../../../subgraphs/webhooks/endpoint-rules.ts';
import { readSupergraphOf } from '../../../app/read-supergraph.ts';
import { startServer } from '../../../app/server.ts';
import { createSelfSigned } from '../../certs/certificates.ts';
import { seedPartner } from '../../demo/partner.ts';
import { type ReceivedWebhook, startReceiver } from '../../demo/receiver.ts';

/** The product's own server on the scratch database, and a partner with a receiver of webhooks. */
export interface Stage {
  readonly url: string;
  /** Of the partner. */
  readonly key: string;
  readonly accountId: string;
  /** The server's own connection; it reports its commands. */
  readonly connection: Connection;
  /** Errors that the server has logged, oldest first. */
  readonly errors: readonly string[];
  /** The ids of deliveries that arrived with a valid signature, with their event and reference. */
  readonly webhooks: ReadonlyMap<string, Pick<ReceivedWebhook, 'event' | 'referenceId'>>;
  /** The first webhook with an invalid signature. */
  invalidWebhook(): string | undefined;
  close(): Promise<void>;
}

/**
 * Starts a server in this process: all roles, and the built-in sandbox for providers. Its files are in a temporary folder,
 * which `close` removes.
 * @param uri names the scratch database
 */
export async function startStage(uri: string): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'remitgraph-verify-'));
  const opened: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
  const close = async () => {
    for (const closeOne of opened.splice(0).toReversed()) {
      await closeOne();
    }
  };
  try {
    const certificate = await createSelfSigned(['127.0.0.1']);
    const caFile = join(folder, 'receiver.pem');
    await writeFile(caFile, certificate.cert);
    const inbox = createWebhookLog();
    const receiver = await startReceiver({ certificate, secret: newWebhookSecret(), onWebhook: inbox.put });
    opened.push(receiver.close);
    const { seedFile, key, tenantId } = await seedPartner(folder, receiver);
    const config = loadConfig({
      MONGODB_URI: `${uri}${uri.includes('?') ? '&' : '?'}monitorCommands=true`,
      DATA_DIR: folder,
      SEED_FILE: seedFile,
      PORT: '0',
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_SWEEP_SECONDS: '1',
      // A run waits for all work: an attempt that failed, as during a failover, comes again soon.
      WEBHOOK_RETRY_SECONDS: '1,2,5,10,20',
      PIPELINE_RETRY_SECONDS: '1,2,5,10',
    });
    const errors: string[] = [];
    const write = (line: string) => void errors.push(line.trim());
    const log = createLogger({ level: 'error', destination: { write } });
    const server = await startServer(config, await readSupergraphOf(config), log);
    opened.push(server.close);
    return {
      url: server.url,
      key,
      accountId: accountOf(tenantId, 'sandbox'),
      connection: server.store.connection,
      errors,
      webhooks: inbox.received,
      invalidWebhook: inbox.invalid,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function createWebhookLog() {
  const received = new Map<string, Pick<ReceivedWebhook, 'event' | 'referenceId'>>();
  let invalid: string | undefined;
  return {
    received,
    invalid: () => invalid,
    put: ({ deliveryId, event, referenceId, issue }: ReceivedWebhook) => {
      if (issue === undefined) {
        received.set(deliveryId, { event, referenceId });
      } else {
        invalid ??= `${event} ${deliveryId}: ${issue}`;
      }
    },
  };
}
