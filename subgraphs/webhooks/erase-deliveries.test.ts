import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { createDeliveryErasure } from './erase-deliveries.ts';
import { openTestBench, type TestBench, testDelivery } from './testing-engine.ts';

const ACME = 'acme/sandbox';

describe('the erasure of webhooks', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  test.each([
    [200, 'DELIVERED'],
    [500, 'PENDING'],
  ])('keeps no answer %d of an attempt that it meets, but its outcome', async (statusCode, status) => {
    const held: ServerResponse[] = [];
    const receiver = await bench.receive({ '/hook': (_request, response) => void held.push(response) });
    const box = createBox(randomBytes(32));
    const engine = bench.start({}, { box });
    const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook')));
    const [other = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook')));
    await engine.worker.sweep();
    await until('both requests', () => held.length === 2);
    const events = { eraseTexts: async () => [id] };
    const erasure = createDeliveryErasure({ models: bench.models, events, box });
    const user = { accountId: ACME, entity: 'operation', ids: ['corr-1'] } as const;
    await erasure.eraseAbout(user);
    await erasure.eraseAbout(user);
    for (const response of held) {
      response.writeHead(statusCode).end('Thank you, Ana Ruíz');
    }
    await engine.idle();
    expect(await bench.find(engine, id)).toMatchObject({ status, attempt: 1 });
    expect(await bench.attempts(engine, id)).toMatchObject([{ number: 1, statusCode, answer: '' }]);
    expect(await bench.attempts(engine, other)).toMatchObject([{ answer: 'Thank you, Ana Ruíz' }]);
  });

  test('keeps no answer of later attempts, which send the erased body', async () => {
    const answers = [500, 200];
    const receiver = await bench.receive({
      '/hook': ({ body }, response) => response.writeHead(answers.shift() ?? 200).end(body),
    });
    const box = createBox(randomBytes(32));
    const engine = bench.start({ retrySeconds: [0] }, { box });
    const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook')));
    await engine.run();
    const events = { eraseTexts: async () => [id] };
    const erasure = createDeliveryErasure({ models: bench.models, events, box });
    await erasure.eraseAbout({ accountId: ACME, entity: 'operation', ids: ['corr-1'] });
    await engine.run();
    expect(receiver.to('/hook').map(({ body }) => body.includes('Ana'))).toEqual([true, false]);
    expect(await bench.find(engine, id)).toMatchObject({ status: 'DELIVERED', attempt: 2 });
    expect((await bench.attempts(engine, id)).map(({ answer }) => answer)).toEqual(['', '']);
  });
});
