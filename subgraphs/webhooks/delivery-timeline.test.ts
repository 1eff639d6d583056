import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createEventHistory } from '../runtime/events/history.ts';
import { createEventModels } from '../runtime/events/model.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery } from './testing-engine.ts';

const ACCOUNT = 'acme/sandbox';
const DAY_MS = 86_400_000;

describe('the timeline of webhooks', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  async function timelineOf({ deliveries }: TestEngine, ...ids: string[]) {
    const history = createEventHistory(createEventModels(bench.store.connection));
    const { entries, problems } = await deliveries.timeline(history, ACCOUNT, ids, 100);
    return { problems, attempts: entries.filter((one) => one.__typename === 'TimelineWebhookAttempt') };
  }

  async function failOnce(engine: TestEngine): Promise<string> {
    const receiver = await bench.receive({ '/hook': (_request, response) => response.writeHead(500).end() });
    const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook')));
    await engine.run();
    return id;
  }

  test('says of a paused endpoint that it must be resumed, whether the webhook was tried or not', async () => {
    const engine = bench.start();
    const tried = await failOnce(engine);
    const { url } = (await bench.find(engine, tried))!;
    const [fresh = ''] = await bench.enqueue(engine, testDelivery(url));
    expect((await timelineOf(engine, tried, fresh)).problems).toMatchObject([
      { code: 'http_status', nextAction: 'WAIT', nextAttemptAt: expect.any(Date) },
    ]);

    await bench.hold('pause', engine, (await bench.stored(tried)).endpoint);
    const { problems, attempts } = await timelineOf(engine, tried, fresh);
    const paused = { message: 'The endpoint of the webhook is paused.', nextAction: 'RESUME_ENDPOINT' };
    expect(problems).toMatchObject([paused, paused]);
    expect([...problems, ...attempts].map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null, null]);
  });

  test('has the next attempt by the clock of the sandbox, as the webhook itself', async () => {
    const clock = () => new Date();
    const engine = bench.start(undefined, {
      clocks: {
        accountClock: () => new Date(Date.now() + DAY_MS),
        aheadMs: () => DAY_MS,
        listExpired: () => [{ at: clock() }],
      },
    });
    const id = await failOnce(engine);
    const { nextAttemptAt } = (await bench.find(engine, id))!;
    expect(nextAttemptAt!.getTime()).toBeGreaterThan(Date.now() + DAY_MS);
    const { problems, attempts } = await timelineOf(engine, id);
    expect([...problems, ...attempts]).toMatchObject([{ nextAttemptAt }, { nextAttemptAt }]);
  });
});
