import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { buildRoleApp } from '../../gateway/app/role-app.ts';
import { createSubgraphs, type Subgraphs } from '../../gateway/app/subgraphs.ts';
import { loadConfig } from '../../subgraphs/platform/config/load.ts';
import { applySeed, readSeed } from '../../subgraphs/platform/tenants/seed.ts';
import { openTestDatabase } from './test-database.ts';

/** The product in this process: everything but the listening. */
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
  const subgraphs = await createSubgraphs({ config, connection, log });
  await subgraphs.prepare();
  if (config.SEED_FILE !== undefined) {
    await applySeed({ ...subgraphs, log }, await readSeed(config.SEED_FILE));
  }
  await subgraphs.start(config.ROLE);
  const supergraphSdl = readFileSync(join('schema', 'supergraph.graphql'), 'utf8');
  const state = { draining: false };
  const app = await buildRoleApp({ config, subgraphs, connection, supergraphSdl, log, state });
  return {
    app,
    subgraphs,
    connection,
    close: async () => {
      await app.close();
      await subgraphs.stop();
      await store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
