import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Model } from 'mongoose';
import type { Database } from '../../../subgraphs/kernel/database/open-database.ts';
import { createProcessModel, type ProcessDocument } from '../../../subgraphs/runtime/processes/model.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { findPublicUrl } from './public-url.ts';

const HERE = { PUBLIC_URL: undefined, HOST: '127.0.0.1', PORT: 4000, NODE_ENV: 'development' } as const;
const IN_PRODUCTION = { ...HERE, NODE_ENV: 'production' } as const;

describe('The address in links that a command makes', () => {
  let database: Database;
  let processes: Model<ProcessDocument>;
  beforeAll(async () => {
    database = await openTestDatabase();
    processes = createProcessModel(database.connection);
  });
  afterEach(() => processes.deleteMany({}));
  afterAll(() => database.close());

  /** A process that was seen so long ago, seconds. */
  const run = (settings: Record<string, string>, { role = 'all', seen = 1, started = 60 } = {}) =>
    processes.insertMany([
      {
        ...{ _id: `proc_${started}`, role, version: '1.0.0', host: 'h', pid: 1 },
        startedAt: new Date(Date.now() - started * 1_000),
        seenAt: new Date(Date.now() - seen * 1_000),
        settings: Object.entries(settings).map(([name, value]) => ({
          ...{ name, value, source: 'GIVEN', isSecret: false },
        })),
      },
    ]);

  test('is that of the server that started last, with its port', async () => {
    await run({ HOST: '127.0.0.1', PORT: '4700' }, { started: 90 });
    await run({ HOST: '0.0.0.0', PORT: '4711' }, { role: 'gateway' });
    await run({ HOST: '127.0.0.1', PORT: '4799' }, { role: 'worker', started: 30 });
    expect(await findPublicUrl(processes, HERE)).toBe('http://localhost:4711');
  });

  test('is the PUBLIC_URL of the command, else of the server', async () => {
    await run({ HOST: '0.0.0.0', PORT: '4711', PUBLIC_URL: 'https://pay.example/app/' });
    expect(await findPublicUrl(processes, IN_PRODUCTION)).toBe('https://pay.example/app');
    const given = { ...IN_PRODUCTION, PUBLIC_URL: 'https://other.example' };
    expect(await findPublicUrl(processes, given)).toBe('https://other.example');
  });

  test('is made from the settings of the command if no server runs, and is unknown in production', async () => {
    await run({ HOST: '127.0.0.1', PORT: '4711' }, { seen: 120 });
    expect(await findPublicUrl(processes, HERE)).toBe('http://127.0.0.1:4000');
    expect(await findPublicUrl(processes, IN_PRODUCTION)).toBeUndefined();
  });
});
