import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { openDevStore } from '../../subgraphs/dev-store/open-dev-store.ts';
import { openDatabase } from '../../subgraphs/kernel/database/open-database.ts';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { INTERNAL_KEY, seedFor } from '../support/seed.ts';

const VENV_DIR = resolve('node_modules/.cache/remitgraph/store-venv');

/** A database made for a benchmark. */
export interface BenchDatabase {
  readonly name: string;
  readonly uri: string;
  readonly connection: Connection;
}

/** The base of a benchmark: the store of the product's chain, and settings for products on it. */
export interface Stand {
  /** An empty database, gone at the end. */
  database(): BenchDatabase;
  /**
   * Production settings of a product on a database; all of them share their secrets.
   * @param hookBase where the partners' receiver listens, such as `https://127.0.0.1:9443`
   */
  productEnv(
    database: BenchDatabase,
    hookBase: string,
    more?: Readonly<Record<string, string>>,
  ): Record<string, string>;
}

/**
 * Says what the store and the machine are, runs a benchmark on them, and leaves nothing behind.
 * @param given a store that is there; by default that of `MONGODB_URI`, or one of the benchmark's own
 */
export async function withStand(
  run: (stand: Stand) => Promise<void>,
  given: string | undefined = process.env.MONGODB_URI || undefined,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-bench-'));
  try {
    const log = pino({ level: 'error' });
    const store = given
      ? await openDatabase({ uri: given, log })
      : await openDevStore({ dataDir: join(folder, 'store'), venvDir: VENV_DIR, log });
    const databases: BenchDatabase[] = [];
    try {
      say(`Store: ${store.description}. Node ${process.version}, ${availableParallelism()} processors.`);
      await run({
        database: () => {
          const name = `remitgraph_bench_${randomBytes(6).toString('hex')}`;
          const uri = withDatabase(store.uri, name);
          const database = { name, uri, connection: store.connection.useDb(name) };
          databases.push(database);
          return database;
        },
        productEnv: createEnv(folder),
      });
    } finally {
      // A store of the bench's own goes with its folder; to drop from it takes a minute, or for ever when it is overrun.
      for (const { connection } of given ? databases : []) {
        await connection.dropDatabase();
      }
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function createEnv(folder: string): Stand['productEnv'] {
  const secrets = {
    INTERNAL_API_KEY: `${INTERNAL_KEY}${randomBytes(32).toString('hex')}`,
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    API_KEY_PEPPER: randomBytes(32).toString('hex'),
  };
  return ({ name, uri }, hookBase, more = {}) => {
    const dataDir = join(folder, name);
    mkdirSync(dataDir, { recursive: true });
    const seedFile = join(dataDir, 'seed.json');
    writeFileSync(seedFile, JSON.stringify(seedFor(hookBase)));
    return {
      NODE_ENV: 'production',
      MONGODB_URI: uri,
      DATA_DIR: dataDir,
      SEED_FILE: seedFile,
      ...secrets,
      ...more,
    };
  };
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a table; the columns behind the first `left` are figures. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], left: number): void {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => String(row[column]).length)),
  );
  for (const row of [header, ...rows]) {
    const cells = row.map((cell, column) =>
      column < left ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    say(cells.join('  '));
  }
}
