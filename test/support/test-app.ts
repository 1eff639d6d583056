import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { composeServer } from '../../gateway/app/server.ts';
import type { Subgraphs } from '../../gateway/app/subgraphs.ts';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { openTestDatabase } from './test-database.ts';

/**
 * The product in this process: everything but the listening. For tests that look into it, or hand it requests that no
 * socket would carry; others deploy a server (`scene.deploy`).
 */
export interface TestApp {
  readonly app: FastifyInstance;
  readonly subgraphs: Subgraphs;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** Builds the application on a database of its own, seeded, its workers running. Errors of ours go to standard error. */
export async function buildTestApp(env: Readonly<Record<string, string>>): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-app-'));
  const config = loadConfig({ ...env, DATA_DIR: dataDir });
  const log = pino({ level: 'error' }, pino.destination({ fd: 2, sync: true }));
  const store = await openTestDatabase();
  const { connection } = store;
  const supergraphSdl = readFileSync(join('schema', 'supergraph.graphql'), 'utf8');
  const composed = await composeServer({
    config,
    connection,
    supergraphSdl,
    log,
    state: { draining: false },
    onRefused: (error) => log.fatal({ err: error }, 'process.refused'),
  });
  return {
    app: composed.app,
    subgraphs: composed.subgraphs,
    connection,
    close: async () => {
      await composed.close();
      await store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
