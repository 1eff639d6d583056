import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type SpanInfo, type Tracing, UNTRACED } from '../kernel/tracing/tracing.ts';
import type { BreakerState, Hold } from './endpoint-state.ts';
import type { MeasuredAttempt } from './telemetry.ts';
import { openTestBench, type TestBench, testDelivery, times } from './testing-engine.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const MINUTE = 60_000;
const NOW = new Date('2026-11-23T08:00:00.000Z');

const breaker = (state: BreakerState) => ({ state, since: NOW, failedProbes: 0 });

describe("the engine's reports", () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  test('a delivery keeps the trace that it was stored in, for every attempt and its log line', async () => {
    const spans: SpanInfo[] = [];
    const tracing: Tracing = {
      traceparent: () => TRACEPARENT,
      span: (info, work) => {
        spans.push(info);
        return work({ traceparent: TRACEPARENT });
      },
    };
    const webhooks = bench.start({}, { tracing });
    const measured: MeasuredAttempt[] = [];
    webhooks.figures.onAttempt((attempt) => measured.push(attempt));
    const receiver = await bench.receive({ '/hook': (_request, response) => response.writeHead(500).end() });
    const [_id] = await bench.enqueue(webhooks, testDelivery(receiver.url('/hook')));
    await webhooks.run();
    webhooks.ahead = 2 * MINUTE;
    await webhooks.run();
    const attempt = (number: number) => ({
      name: 'webhook.attempt',
      attributes: { 'webhook.delivery.id': _id, 'webhook.attempt': number },
      cause: { traceparent: TRACEPARENT, isFirst: number === 1 },
    });
    const post = (resends: object) => ({
      name: 'POST',
      kind: 'client',
      attributes: { 'http.request.method': 'POST', ...resends },
    });
    expect(spans).toEqual([
      expect.objectContaining({ ...attempt(1), attributes: expect.objectContaining(attempt(1).attributes) }),
      post({}),
      expect.objectContaining({ ...attempt(2), attributes: expect.objectContaining(attempt(2).attributes) }),
      post({ 'http.request.resend_count': 1 }),
    ]);
    expect(measured.map(({ result }) => result)).toEqual(['http_status', 'http_status']);
    const lines = bench.logged().trim().split('\n');
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'webhook.attempt');
    expect(logged.map(({ traceId, attempt }) => [traceId, attempt])).toEqual([
      [TRACE, 1],
      [TRACE, 2],
    ]);
    expect(receiver.requests.map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined]);
  });

  test('a delivery whose cause has a trace of its own keeps that one', async () => {
    const webhooks = bench.start({}, { tracing: { ...UNTRACED, traceparent: (own) => own ?? TRACEPARENT } });
    const cause = TRACEPARENT.replace(TRACE, TRACE.replace(/^./, 'f'));
    const delivery = { ...testDelivery('https://127.0.0.1:9/hook'), traceparent: cause };
    const [id = ''] = await bench.enqueue(webhooks, delivery);
    expect(await bench.stored(id)).toMatchObject({ traceparent: cause });
  });

  test('where nothing is traced, nothing of a trace is stored', async () => {
    const webhooks = bench.start({}, { tracing: UNTRACED });
    const [id = ''] = await bench.enqueue(webhooks, testDelivery('https://127.0.0.1:9/hook'));
    expect(await bench.stored(id)).not.toHaveProperty('traceparent');
  });

  test('held endpoints are counted by their reason', async () => {
    const webhooks = bench.start();
    expect(await webhooks.figures.heldEndpoints()).toEqual({ paused: 0, open: 0, halfOpen: 0 });
    const of = (_id: string, holds: Hold[], state: BreakerState) => ({
      _id,
      accountId: 'acme/sandbox',
      holds,
      breaker: breaker(state),
    });
    await bench.models.endpointStates.insertMany([
      of('sent to', [], 'CLOSED'),
      of('paused', ['PAUSED'], 'CLOSED'),
      of('paused and open', ['PAUSED', 'BREAKER'], 'OPEN'),
      of('open', ['BREAKER'], 'OPEN'),
      of('probed', ['BREAKER'], 'HALF_OPEN'),
    ]);
    expect(await webhooks.figures.heldEndpoints()).toEqual({ paused: 2, open: 2, halfOpen: 1 });
  });

  test('waiting deliveries are counted by state, with the age of the oldest', async () => {
    const webhooks = bench.start({}, { clock: () => NOW });
    const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE);
    const [old = '', due = '', leased = '', later = '', lost = '', delivered = ''] = await bench.enqueue(
      webhooks,
      ...times(6, (index) => testDelivery('https://127.0.0.1:9/hook', { createdAt: ago(60 - index) })),
    );
    const set = (_id: string, fields: object) => bench.models.deliveries.updateOne({ _id }, { $set: fields });
    await set(old, { nextAttemptAt: ago(3) });
    await set(due, { nextAttemptAt: NOW });
    await set(leased, { nextAttemptAt: ago(-0.5), leaseToken: 'a' });
    await set(later, { nextAttemptAt: ago(-30) });
    await set(lost, { nextAttemptAt: ago(1), leaseToken: 'of a killed worker' });
    await set(delivered, { status: 'DELIVERED', nextAttemptAt: ago(50) });
    const figures = await webhooks.figures.queue();
    expect(figures).toEqual({
      due: { depth: 3, oldestSeconds: 3600, overdueSeconds: 180 },
      leased: { depth: 1, oldestSeconds: 58 * 60, overdueSeconds: 0 },
      later: { depth: 1, oldestSeconds: 57 * 60, overdueSeconds: 0 },
      held: { depth: 0, oldestSeconds: 0, overdueSeconds: 0 },
    });
    await bench.models.deliveries.deleteMany({});
    expect(await webhooks.figures.queue()).toBe(figures);
  });

  test('a delivery for a paused endpoint, or behind an open breaker, is held and not overdue', async () => {
    const webhooks = bench.start({}, { clock: () => NOW });
    const createdAt = new Date(NOW.getTime() - 60 * MINUTE);
    const store = (host: string) =>
      bench.enqueue(webhooks, testDelivery(`https://${host}.test/hook`, { createdAt }));
    const [paused = ''] = await store('paused');
    const [kept = ''] = await store('failing');
    const [begun = ''] = await store('failing');
    await store('answering');
    const due = { nextAttemptAt: new Date(NOW.getTime() - 30 * MINUTE) };
    await bench.models.deliveries.updateMany({}, { $set: due });
    await bench.models.deliveries.updateOne({ _id: begun }, { $set: { attempt: 1 } });
    await bench.models.deliveries.updateOne(
      { endpoint: webhooks.endpoints.identify('acme/sandbox', 'https://answering.test/hook') },
      { $set: { nextAttemptAt: new Date(NOW.getTime() - MINUTE) } },
    );
    const stateOf = async (id: string, holds: Hold[]) => ({
      _id: (await bench.stored(id))?.endpoint ?? '',
      accountId: 'acme/sandbox',
      holds,
      breaker: breaker(holds.includes('BREAKER') ? 'OPEN' : 'CLOSED'),
    });
    await bench.models.endpointStates.insertMany([
      await stateOf(paused, ['PAUSED']),
      await stateOf(kept, ['BREAKER']),
    ]);
    expect(await webhooks.figures.queue()).toMatchObject({
      due: { depth: 2, overdueSeconds: 30 * 60 },
      held: { depth: 2, oldestSeconds: 60 * 60, overdueSeconds: 0 },
    });
    await bench.models.deliveries.deleteOne({ _id: begun });
  });
});
