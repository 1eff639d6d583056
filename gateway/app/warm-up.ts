import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import mongoose from 'mongoose';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { projectRoot } from '../../subgraphs/kernel/project-root.ts';
import { createMetrics } from '../observe/metrics.ts';
import { buildRoleApp } from './role-app.ts';
import { createSubgraphs } from './subgraphs.ts';

/**
 * Does everything that a start of the server does, except for the database. `npm run build` runs it, and keeps the code that
 * V8 compiles of all called functions. Other functions are compiled at each start.
 */
async function warmUp(): Promise<void> {
  const secret = () => randomBytes(32).toString('hex');
  const config = loadConfig({
    NODE_ENV: 'production',
    DATA_DIR: tmpdir(),
    MONGODB_URI: 'mongodb://127.0.0.1:1',
    ENCRYPTION_KEY: secret(),
    API_KEY_PEPPER: secret(),
    INTERNAL_API_KEY: secret(),
  });
  const log = createLogger({ level: 'silent' });
  const connection = mongoose.createConnection();
  const client = new mongoose.mongo.MongoClient(String(config.MONGODB_URI));
  connection.getClient = () => client;
  const supergraphSdl = await readFile(join(projectRoot(), 'schema', 'supergraph.graphql'), 'utf8');
  const subgraphs = await createSubgraphs({ config, connection, log });
  const app = await buildRoleApp({
    config,
    subgraphs,
    metrics: createMetrics(subgraphs.figures),
    connection,
    supergraphSdl,
    log,
    state: { draining: false },
  });
  await app.inject('/health/live');
  await app.close();
}

/** Settles after all calls. */
export const warmedUp = warmUp();
