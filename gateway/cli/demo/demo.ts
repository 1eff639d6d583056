import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { makePrivateDirectory } from '../../../subgraphs/kernel/private-directory.ts';
import { newWebhookSecret } from '../../../subgraphs/webhooks/endpoint-rules.ts';
import { readSupergraphOf } from '../../app/read-supergraph.ts';
import { type Server, startServer } from '../../app/server.ts';
import { createSelfSigned } from '../certs/certificates.ts';
import { type Partner, seedPartner } from './partner.ts';
import { type ReceivedWebhook, type Receiver, startReceiver } from './receiver.ts';
import { demoConfig, demoDataDir } from './settings.ts';

/** A running server with a partner, and that partner's own server. */
export interface Demo {
  readonly server: Server;
  readonly partner: Partner;
  readonly receiver: Receiver;
  /** Where the server's log goes. */
  readonly logFile: string;
  /** Stops the server, then the receiver. A second call waits for the first. */
  close(): Promise<void>;
}

interface DemoDeps {
  env: NodeJS.ProcessEnv;
  /** Called with each webhook that reaches the partner's server. */
  onWebhook(webhook: ReceivedWebhook): void;
}

/**
 * Starts everything on `DATA_DIR` (default `.data/demo`), or on `MONGODB_URI`. If a later part fails, it closes the
 * parts that it has started.
 * @throws ConfigError, or what the server throws
 */
export async function startDemo({ env, onWebhook }: DemoDeps): Promise<Demo> {
  const dataDir = demoDataDir(env);
  makePrivateDirectory(dataDir);
  const secret = newWebhookSecret();
  const certificate = await createSelfSigned(['127.0.0.1']);
  const caFile = join(dataDir, 'demo-receiver.pem');
  await writeFile(caFile, certificate.cert);
  const receiver = await startReceiver({ certificate, secret, onWebhook });
  try {
    const { seedFile, ...partner } = await seedPartner(dataDir, receiver);
    const config = await demoConfig(env, { dataDir, seedFile, caFile });
    const logFile = join(dataDir, 'server.log');
    await writeFile(logFile, '');
    const log = createLogger({
      level: config.LOG_LEVEL,
      destination: pino.destination({ dest: logFile, sync: true }),
    });
    const supergraphSdl = await readSupergraphOf(config);
    const server = await startServer(config, supergraphSdl, log, { seededKey: partner.key });
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= server.close().finally(() => receiver.close());
      return closing;
    };
    return { server, partner, receiver, logFile, close };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}
