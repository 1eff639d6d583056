import { describe, expect, test } from '@jest/globals';
import { toBuffer } from '../../kernel/binary.ts';
import { UNTRACED } from '../../kernel/tracing/tracing.ts';
import { openInput } from '../store/sealed-input.ts';
import { bodyOf, CARD, principal, START, send, usePipelineBench } from '../testing.ts';

// Many steps on a database that is not the test's alone.

const bench = usePipelineBench();

/** Codes of failures, or `accepted`, each with how often it was answered. */
async function tally(answers: readonly Promise<{ ok: boolean; failures?: readonly { code: string }[] }>[]) {
  const tallied: Record<string, number> = {};
  for (const answer of await Promise.all(answers)) {
    const what = answer.ok ? 'accepted' : String(answer.failures?.[0]?.code);
    tallied[what] = (tallied[what] ?? 0) + 1;
  }
  return tallied;
}

/** A pipeline whose worker has nothing to do: an accepted call stays as it is. */
function startIdle() {
  return bench.start({ tenants: bench.deps.tenants, webhooks: bench.deps.webhooks });
}

describe('acceptance', () => {
  test('saves requester, id, remittance and event, and answers before any phase', async () => {
    const pipeline = startIdle();
    await pipeline.worker.stop();
    const body = bodyOf();
    const accepted = await bench.accept(pipeline, body);
    const { correlationId } = body.request;
    expect(accepted).toMatchObject({
      correlationId,
      status: 'IN_PROGRESS',
      phase: 'CIP',
      version: 1,
      attempts: 0,
      attributionLink: `https://acme.test/t/${correlationId}`,
      nextAttemptAt: START,
    });
    expect(await bench.moves(correlationId)).toEqual(['1 remittance.accepted IN_PROGRESS CIP']);
    expect(await bench.count('users')).toBe(1);
    expect(await bench.deps.operations.isIdTaken('acme/sandbox', correlationId)).toBe(true);
    expect(await bench.count('operations')).toBe(0);
  });

  test('a requester with a known phone number is not changed', async () => {
    const pipeline = startIdle();
    const first = await bench.accept(pipeline, bodyOf({ requester: { phoneNumber: '+525512345678' } }));
    const again = bodyOf({ requester: { phoneNumber: '55 1234 5678', firstName: 'Eva' } });
    expect((await bench.accept(pipeline, again)).userId).toBe(first.userId);
    expect(await bench.count('users')).toBe(1);
  });

  test('the email of another user fails, and nothing is saved', async () => {
    const pipeline = startIdle();
    await pipeline.worker.stop();
    const email = 'ana@example.test';
    await bench.accept(pipeline, bodyOf({ requester: { email } }));
    const failed = await send(pipeline, principal, bodyOf({ requester: { email: 'Ana@Example.test' } }));
    expect(failed).toMatchObject({ ok: false, failures: [{ code: 'ERROR_REQUEST_MONEY_FULL' }] });
    expect([await bench.count('remittances'), await bench.count('users')]).toEqual([1, 1]);
    // The ids of the call and, of its requester, the phone number and the email.
    expect(await bench.count('uniqueValues')).toBe(3);
  });

  test('a correlation id that is taken comes before the email of another user', async () => {
    const pipeline = startIdle();
    await pipeline.worker.stop();
    const email = 'ana@example.test';
    await bench.accept(pipeline, bodyOf({ requester: { email } }));
    const { correlationId } = await bench.accept(pipeline, bodyOf());
    const both = bodyOf({ requester: { email }, request: { correlationId } });
    expect(await send(pipeline, principal, both)).toMatchObject({
      ok: false,
      failures: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED' }],
    });
  });

  test('a tenant that is gone', async () => {
    bench.tenants.delete('acme/sandbox');
    const failed = await send(startIdle(), principal, bodyOf());
    expect(failed).toMatchObject({ failures: [{ code: 'ERROR_TENANT_NOT_FOUND' }] });
  });

  test('a failure in the transaction leaves nothing', async () => {
    const never = () => {
      throw new Error('no');
    };
    const pipeline = bench.start({
      events: { ...bench.deps.events, append: never },
    });
    await expect(bench.accept(pipeline)).rejects.toThrow('no');
    for (const collection of ['remittances', 'uniqueValues', 'users', 'testEvents']) {
      expect([collection, await bench.count(collection)]).toEqual([collection, 0]);
    }
  });

  test('nobody can be read at rest, and the number is gone once its phase is over', async () => {
    const pipeline = startIdle();
    await pipeline.worker.stop();
    const body = bodyOf({ method: CARD, requestTo: { lastName: 'FUNDINGDOWN' } });
    const { correlationId } = await bench.accept(pipeline, body);
    const before = await bench.stored(correlationId);
    const rest = toBuffer(before.private as Buffer).toString('latin1') + JSON.stringify(before);
    for (const readable of ['4111', '+1212', 'Bob', 'Ruiz']) {
      expect(rest).not.toContain(readable);
    }
    expect(openInput(bench.deps.box, before).method).toMatchObject({ number: '4111111111111111' });
    await bench.run(bench.start());
    const waiting = await bench.stored(correlationId);
    expect(waiting).toMatchObject({ status: 'IN_PROGRESS', phase: 'REQUEST_MONEY' });
    expect(Object.keys(openInput(bench.deps.box, waiting))).toEqual(['contact']);
  });
});

describe('races', () => {
  test('one of 100 identical calls at once is accepted, and it has one outcome', async () => {
    const pipeline = bench.start();
    const body = bodyOf();
    const answers = Array.from({ length: 100 }, () => send(pipeline, principal, body));
    expect(await tally(answers)).toEqual({ accepted: 1, ERROR_CORRELATION_ID_ALREADY_USED: 99 });
    await bench.run(pipeline);
    for (const collection of ['users', 'remittances', 'operations', 'testDeliveries']) {
      expect([collection, await bench.count(collection)]).toEqual([collection, 1]);
    }
  });

  test('25 calls of one new requester at once make one user, one contact and one payment method', async () => {
    const pipeline = bench.start();
    const phoneNumber = '+525512345678';
    const answers = Array.from({ length: 25 }, () =>
      send(pipeline, principal, bodyOf({ requester: { phoneNumber, email: 'ana@example.test' } })),
    );
    expect(await tally(answers)).toEqual({ accepted: 25 });
    while ((await bench.count('remittances', { status: 'IN_PROGRESS' })) > 0) {
      await bench.run(pipeline);
      bench.now = new Date(bench.now.getTime() + 5_000);
    }
    for (const collection of ['users', 'contacts', 'paymentMethods']) {
      expect([collection, await bench.count(collection)]).toEqual([collection, 1]);
    }
    expect(await bench.count('operations')).toBe(25);
    expect(await bench.count('testDeliveries')).toBe(25);
    expect(await bench.database.connection.collection('contacts').findOne({})).toMatchObject({
      requests: 25,
    });
  });

  test('two requesters with one email at once: one of them fails', async () => {
    const pipeline = startIdle();
    const email = 'ana@example.test';
    const answers = Array.from({ length: 2 }, () =>
      send(pipeline, principal, bodyOf({ requester: { email } })),
    );
    expect(await tally(answers)).toEqual({ accepted: 1, ERROR_REQUEST_MONEY_FULL: 1 });
  });
});

test('the outcome belongs to the trace of the call, whichever process has ended the remittance, and whenever', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const called = bench.start({ tracing: { ...UNTRACED, traceparent: () => traceparent } });
  const { correlationId } = await bench.accept(called);
  await called.worker.stop();
  await bench.run(bench.start());
  expect((await bench.stored(correlationId)).status).toBe('SUCCEEDED');
  expect(await bench.deliveries()).toMatchObject([{ traceparent }]);
});
