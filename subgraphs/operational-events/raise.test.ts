import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createTransactions } from '../kernel/database/transaction.ts';
import { DISCREPANCY_OPENED } from '../webhook-events/operational.ts';
import { ACME, type OperationalBench, openOperationalBench } from './testing.ts';

let own: OperationalBench;
beforeAll(async () => {
  own = await openOperationalBench();
});
afterEach(() => own.reset());
afterAll(() => own.bench.close());

const EVENT = DISCREPANCY_OPENED.of({
  ...{ accountId: ACME, provider: 'acquirer', fileId: 'abc', discrepancies: 2 },
  consoleUrl: 'https://pay.acme.test/console',
});

/** Raises the event in a transaction, which may fail. @returns the counts of the process */
async function raise(receivers: object, fault?: Error) {
  own.add(ACME, receivers);
  const tenant = own.tenants.get(ACME);
  const events = own.start();
  const raised = createTransactions(own.bench.store.connection)((unit) => {
    if (tenant) {
      events.raise(tenant, EVENT, unit);
    }
    if (fault) {
      throw fault;
    }
  });
  await expect(raised.catch((error: unknown) => error)).resolves.toBe(fault);
  return events.counts().raised;
}

describe('an event that another part raises', () => {
  test('is sent to the URL and by mail when its transaction is committed', async () => {
    const receivers = { url: 'https://ops.acme.test/events', emails: ['ops@acme.test'] };
    expect(await raise(receivers)).toEqual({ 'discrepancy.opened': 1 });
    expect(await own.sent()).toEqual(['discrepancy.opened']);
    own.ahead += 10 * 60_000;
    await own.run();
    expect(own.mails).toHaveLength(1);
    expect(own.mails[0]?.text).toContain('file abc: 2 discrepancies');
  });

  test('is neither sent nor counted when its transaction fails', async () => {
    const receivers = { url: 'https://ops.acme.test/events', emails: ['ops@acme.test'] };
    expect(await raise(receivers, new Error('away'))).toEqual({});
    expect([await own.sent(), await own.models.notices.countDocuments({})]).toEqual([[], 0]);
  });
});
