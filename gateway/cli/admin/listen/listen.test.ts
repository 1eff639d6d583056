import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { createBlindIndex } from '../../../../subgraphs/kernel/crypto/blind-index.ts';
import { createBox } from '../../../../subgraphs/kernel/crypto/box.ts';
import { createLogger } from '../../../../subgraphs/kernel/log/log.ts';
import { createEvents, type Events } from '../../../../subgraphs/runtime/events/index.ts';
import { createSigningKeys } from '../../../../subgraphs/webhooks/signing-key.ts';
import {
  openTestBench,
  TEST_SECRET,
  type TestBench,
  type TestEngine,
  testDelivery,
} from '../../../../subgraphs/webhooks/testing-engine.ts';
import { verifyWebhook } from '../../../../subgraphs/webhooks/verifiers/verify-webhook.ts';
import { until } from '../../../../test/support/until.ts';
import { type Listened, UsageError } from '../command.ts';
import { createCursorFile } from './cursor-file.ts';
import { type ListenDeps, listen } from './listen.ts';
import { createPoster, type Poster } from './poster.ts';

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

describe('listen', () => {
  const box = createBox(randomBytes(32));
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-listen-'));
  const got: Got[] = [];
  const lines: string[] = [];
  let bench: TestBench;
  let events: Events;
  let engine: TestEngine;
  let poster: Poster;
  let server: Server;
  let answer: (status: number) => Promise<number> = async (status) => status;

  beforeAll(async () => {
    bench = await openTestBench();
    events = createEvents({
      connection: bench.store.connection,
      log: createLogger({ level: 'silent' }),
      cursorKeys: [randomBytes(32)],
      pollMs: 50,
      isClockRight: () => true,
    });
    events.sequencer.start();
    poster = createPoster({ timeoutMs: 10_000 });
    server = createServer(async (request, response) => {
      got.push({ headers: request.headers, body: await buffer(request) });
      // Servers may send interim answers.
      response.writeContinue();
      response.writeHead(await answer(204)).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    engine = bench.start({}, { box, events: events.log });
  });
  afterEach(async () => {
    answer = async (status) => status;
    got.length = 0;
    lines.length = 0;
    rmSync(join(folder, 'listen'), { recursive: true, force: true });
    await bench.reset();
  });
  afterAll(async () => {
    await events.close();
    await poster.close();
    server.closeAllConnections();
    server.close();
    await bench.close();
    rmSync(folder, { recursive: true });
  });

  /** A run that is stopped by `stop`. */
  function start(after?: string, change: Partial<ListenDeps> = {}) {
    const stopping = new AbortController();
    const { port } = server.address() as AddressInfo;
    const running = listen(
      {
        events,
        deliveries: bench.models.deliveries,
        box,
        signingKeyOf: createSigningKeys(createBlindIndex(Buffer.alloc(32, 7))),
        poster,
        cursors: createCursorFile(folder, 'acme/sandbox'),
        clock: () => new Date(),
        say: (line) => lines.push(line),
        ...change,
      },
      {
        accountId: 'acme/sandbox',
        forward: new URL(`http://127.0.0.1:${port}/hook`),
        after,
      },
      stopping.signal,
    );
    const stop = (): Promise<Listened> => {
      stopping.abort();
      return running;
    };
    return {
      running,
      stop,
      listening: () => until('it listens', () => lines.join().includes('Listening to')),
    };
  }

  const store = (fields = {}) => bench.enqueue(engine, testDelivery('https://listen.invalid/hook', fields));
  /** The number of printed webhooks. */
  const reported = () => lines.filter((line) => /^\S+Z {2}/.test(line)).length;
  const ids = () => got.map(({ headers }) => headers['x-webhook-delivery-id']);

  test('forwards stored webhooks with a new signature, and does not change them', async () => {
    const first = start();
    await first.listening();
    const [id = ''] = await store({ createdAt: new Date(Date.now() - 3_600_000) });
    await until('the webhook', () => lines.some((line) => line.includes(id)));
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = got;
    verifyWebhook({ scheme: 'request_money', headers, body, secrets: TEST_SECRET, toleranceSeconds: 60 });
    expect(body.toString()).toBe(testDelivery('').body);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-event': 'operation_created',
      'x-webhook-delivery-id': id,
    });
    expect(lines.at(-1)).toMatch(/^\S+Z {2}operation_created {2}\S+ {2}204 in \d+ ms$/);
    expect(await first.stop()).toMatchObject({ forwarded: 1, failed: 0 });
    expect(await bench.stored(id)).toMatchObject({ status: 'PENDING', attempt: 0, claims: 0 });
    expect(await bench.models.attempts.countDocuments()).toBe(0);
  });

  test("continues where the last run stopped, forwards replayed webhooks, and omits other tenants'", async () => {
    const first = start();
    await first.listening();
    const [seen = ''] = await store();
    await until('the first one', () => reported() === 1);
    await first.stop();
    const [missed = ''] = await store();
    await store({ accountId: 'globex/sandbox' as const });
    await bench.models.deliveries.updateOne({ _id: seen }, { status: 'DELIVERED', finishedAt: new Date() });
    await engine.deliveries.replay('acme/sandbox', seen);
    const second = start();
    await until('the others', () => reported() === 3);
    expect(await second.stop()).toMatchObject({ forwarded: 2 });
    expect(ids()).toEqual([seen, missed, seen]);
  });

  test('a webhook without an answer is reported, and the next one is sent', async () => {
    const statuses = [500, 204];
    answer = async () => statuses.shift() ?? 204;
    const rejecting: Poster['post'] = async (url, request, signal) =>
      got.length === 0 ? { kind: 'failed', reason: 'ECONNREFUSED' } : poster.post(url, request, signal);
    const run = start(undefined, {
      poster: {
        post: async (...args) => {
          const result = await rejecting(...args);
          got.push({ headers: {}, body: Buffer.alloc(0) });
          return result;
        },
      },
    });
    await run.listening();
    for (const _ of [1, 2, 3]) {
      await store();
    }
    await until('all three', () => reported() === 3);
    expect(lines.slice(1).map((line) => line.split('  ').at(-1)?.split(' in ')[0])).toEqual([
      'no answer: ECONNREFUSED',
      '500',
      '204',
    ]);
    expect(await run.stop()).toMatchObject({ forwarded: 2, failed: 1 });
  });

  test('a stop does not wait for an answer, and the next run repeats the unanswered webhook', async () => {
    let release: () => void = () => undefined;
    answer = (status) => new Promise((resolve) => (release = () => resolve(status)));
    const first = start();
    await first.listening();
    const [id = ''] = await store();
    await until('the request', () => got.length === 1);
    expect(await first.stop()).toMatchObject({ forwarded: 0, failed: 0 });
    release();
    answer = async (status) => status;
    const second = start();
    await until('it again', () => reported() === 1);
    expect(await second.stop()).toMatchObject({ forwarded: 1 });
    expect(ids()).toEqual([id, id]);
  });

  test('waits while the database is unreachable', async () => {
    let failures = 1;
    const deliveries = {
      findOne: (filter: object) => {
        failures -= 1;
        return failures >= 0
          ? { lean: () => Promise.reject(new mongo.MongoNetworkError('away')) }
          : bench.models.deliveries.findOne(filter);
      },
    } as unknown as ListenDeps['deliveries'];
    const run = start(undefined, { deliveries });
    await run.listening();
    const [id = ''] = await store();
    await until('the webhook', () => reported() === 1);
    expect(lines[1]).toBe('The database cannot be reached; waiting for it.');
    await run.stop();
    expect(ids()).toEqual([id]);
  });

  test('a webhook that cannot be opened is reported, and does not stop the others', async () => {
    const run = start();
    await run.listening();
    const other = bench.start({}, { box: createBox(randomBytes(32)), events: events.log });
    await bench.enqueue(other, testDelivery('https://listen.invalid/hook'));
    const [good = ''] = await store();
    await until('the good one', () => reported() === 2);
    expect(await run.stop()).toMatchObject({ forwarded: 1, failed: 1 });
    expect(lines[1]).toContain('cannot be opened');
    expect(ids()).toEqual([good]);
  });

  test('a given cursor must be valid; a stored cursor that is invalid is dropped', async () => {
    const rejected = start('nonsense');
    await expect(rejected.running).rejects.toThrow(UsageError);
    await expect(rejected.running).rejects.toThrow('--after: ');
    createCursorFile(folder, 'acme/sandbox').write('of another store');
    await store();
    const run = start();
    await run.listening();
    expect(lines[0]).toMatch(/^The last run's place in the log does not count any more/);
    const [id = ''] = await store();
    await until('the new one', () => ids().includes(id));
    const { cursor } = await run.stop();
    expect(createCursorFile(folder, 'acme/sandbox').read()).toBe(cursor);
  });

  test('a file of cursors that cannot be read is an error', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => createCursorFile(join(folder, 'file'), 'acme/sandbox').read()).toThrow('ENOTDIR');
  });
});
