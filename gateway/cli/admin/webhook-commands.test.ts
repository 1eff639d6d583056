import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountOf } from '../../../subgraphs/kernel/account.ts';
import { createTransactions } from '../../../subgraphs/kernel/database/transaction.ts';
import { createWebhookModels } from '../../../subgraphs/webhooks/model.ts';
import { toDeliveries } from '../../../subgraphs/webhooks/publisher.ts';
import { sealedContext } from '../../../subgraphs/webhooks/sealed.ts';
import { type Answer, runCommand, UsageError } from './commands.ts';
import { type AdminBench, openAdminBench } from './testing.ts';

describe('the commands of webhooks', () => {
  let bench: AdminBench;
  beforeAll(async () => {
    bench = await openAdminBench();
  });
  afterAll(() => bench.close());

  const run = (...args: string[]): Promise<Answer> => runCommand(bench.deps, args);
  const OF_MEXICO = ['--country', 'MX', '--source-country', 'US'];
  const create = (id: string, ...more: string[]) =>
    run('tenant', 'create', '--id', id, '--name', 'Some', ...OF_MEXICO, ...more);
  const SECRET = 'whsec_of_hooks_1';
  const of = (id: string, ...args: string[]) => run('webhooks', ...args, '--tenant', id);
  /** A tenant with a URL and webhooks to it that are dead-lettered. */
  async function withDeadLettered(id: string, count: number, url = 'https://first.test/'): Promise<string[]> {
    await create(id, '--webhook-url', url, '--webhook-secret', SECRET);
    const { connection, deps, queue } = bench;
    const tenant = await deps.tenants.find(accountOf(id, 'sandbox'));
    const deliveries = Array.from({ length: count }, () =>
      toDeliveries(
        tenant as NonNullable<typeof tenant>,
        [{ event: 'operation_created', data: { name: 'Ana Ruiz' } }],
        new Date(Date.now() - 60_000),
      ),
    ).flat();
    const stored = await createTransactions(connection)((unit) => queue.enqueue(deliveries, unit));
    const ids = stored.map(({ _id }) => _id);
    const ended = { status: 'DEAD_LETTERED', attempt: 5, version: 2, lastError: 'timeout' };
    await createWebhookModels(connection).deliveries.updateMany({ _id: { $in: ids } }, { $set: ended });
    return ids;
  }

  test('endpoints are shown without their secrets, paused and resumed', async () => {
    await withDeadLettered('hooked', 0);
    const { rows } = await of('hooked', 'endpoints');
    expect(rows).toMatchObject([{ id: 'first', url: 'https://first.test/', secretPreview: 'whsec_…_1' }]);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    const paused = await of('hooked', 'pause', '--endpoint', 'first');
    expect(paused.rows).toMatchObject([{ id: 'first', pausedAt: expect.any(Date), pending: 0 }]);
    expect((await of('hooked', 'health')).rows).toMatchObject([{ pausedAt: expect.any(Date) }]);
    const [resumed] = (await of('hooked', 'resume', '--endpoint', 'first')).rows;
    expect(resumed).not.toHaveProperty('pausedAt');
    await expect(of('hooked', 'pause', '--endpoint', 'we_none')).rejects.toThrow(UsageError);
  });

  test('an endpoint stays paused when tenant update changes its URL, until it has none', async () => {
    await withDeadLettered('moved', 0);
    await of('moved', 'pause', '--endpoint', 'first');
    await run('tenant', 'update', '--id', 'moved', '--webhook-url', 'https://second.test/');
    const shown = { url: 'https://second.test/', pausedAt: expect.any(Date) };
    expect((await of('moved', 'health')).rows).toMatchObject([shown]);
    await run('tenant', 'update', '--id', 'moved', '--webhook-url', '');
    await run('tenant', 'update', '--id', 'moved', '--webhook-url', 'https://first.test/');
    expect((await of('moved', 'health')).rows[0]).not.toHaveProperty('pausedAt');
  });

  test('are listed and shown without their bodies', async () => {
    const [id = ''] = await withDeadLettered('listed', 2);
    const { rows } = await of('listed', 'list', '--status', 'DEAD_LETTERED', '--limit', '1');
    expect(rows).toMatchObject([{ event: 'operation_created', attempt: 5, lastError: 'timeout' }]);
    expect((await of('listed', 'list', '--status', 'DELIVERED')).rows).toEqual([]);
    const shown = await of('listed', 'show', '--id', id);
    expect(shown.rows).toMatchObject([
      { id, body: expect.stringContaining('"name":"…"'), bodyBytes: expect.any(Number) },
    ]);
    expect(JSON.stringify([rows, shown.rows])).not.toMatch(/Ana|whsec_of/);
    await create('curious');
    await expect(of('curious', 'show', '--id', id)).rejects.toThrow(UsageError);
  });

  test('an attempt is shown with its timing, if it has one, and with masked headers', async () => {
    const [id = ''] = await withDeadLettered('timed', 1, 'https://ana:s3cret@first.test/in');
    const at = new Date('2026-11-21T08:00:00.000Z');
    const attempt = (number: number) => {
      const _id = `${id}:${number}`;
      const answer = bench.box.seal(
        'Ana',
        sealedContext({ accountId: 'timed/sandbox' as const, _id })('answer'),
      );
      return {
        _id,
        deliveryId: id,
        accountId: 'timed/sandbox' as const,
        number,
        at,
        ms: 90,
        statusCode: 500,
        answer,
      };
    };
    const timing = { reused: false, dnsMs: 11, connectMs: 22, tlsMs: 33, firstByteMs: 4 };
    const { attempts } = createWebhookModels(bench.connection);
    await attempts.insertMany([attempt(1), { ...attempt(2), timing }]);
    const [shown, untimed, timed] = (await of('timed', 'show', '--id', id)).rows;
    expect(shown).toMatchObject({
      id,
      url: 'https://****@first.test/in',
      currentUrl: 'https://****@first.test/in',
    });
    expect(untimed).toEqual({
      number: 1,
      at,
      ms: 90,
      statusCode: 500,
      headers: [
        'Content-Type: application/json',
        expect.stringMatching(/^User-Agent: remitgraph\/\d/),
        'X-Webhook-Event: operation_created',
        `X-Webhook-Delivery-Id: ${id}`,
        'X-Webhook-Signature: t=1795248000,v1=****',
        'Authorization: Basic ****',
      ],
      answerBytes: 3,
    });
    expect(timed).toEqual({ ...untimed, number: 2, ...timing });
    const reported = JSON.stringify([
      await of('timed', 'list'),
      await of('timed', 'endpoints'),
      shown,
      timed,
    ]);
    expect(reported).not.toMatch(/s3cret|Ana/);
  });

  test('replay one webhook, or count all matching ones, which a server then sends', async () => {
    const ids = await withDeadLettered('again', 3);
    expect((await of('again', 'replay', '--id', ids[0] ?? '')).rows).toMatchObject([{ status: 'PENDING' }]);
    await expect(of('again', 'replay', '--id', ids[0] ?? '')).rejects.toThrow('PENDING');
    const filter = ['--endpoint', 'first', '--since', '2020-01-01T00:00:00Z'];
    expect((await of('again', 'replay', ...filter, '--dry-run')).rows).toEqual([{ found: 2 }]);
    expect((await of('again', 'replay', '--until', '2020-01-01T00:00:00Z', '--dry-run')).rows).toEqual([
      { found: 0 },
    ]);
    const { rows, next } = await of('again', 'replay', ...filter);
    expect(rows).toMatchObject([{ state: 'RUNNING', found: 2, replayed: 0 }]);
    expect(next?.join()).toContain(`--id ${rows[0]?.id}`);
    await expect(of('again', 'replay')).rejects.toThrow('running');
    await bench.deps.webhooks.replays.work(new AbortController().signal);
    expect((await of('again', 'replays')).rows).toMatchObject([{ state: 'DONE', replayed: 2 }]);
    expect((await of('again', 'stop', '--id', String(rows[0]?.id))).rows).toMatchObject([{ state: 'DONE' }]);
  });

  test.each([
    ['--status', 'PENDING'],
    ['--since', 'yesterday'],
    ['--since', '2026-13-01T00:00:00Z'],
    ['--until', '2026-02-30T00:00:00Z'],
    ['--limit', '0'],
    ['--limit', '-1'],
    ['--endpoint', 'we_none'],
  ])('a replay is rejected for %s %s', async (option, value) => {
    if (!(await bench.deps.tenants.find('rejected/sandbox'))) {
      await withDeadLettered('rejected', 0);
    }
    await expect(of('rejected', 'replay', `${option}=${value}`)).rejects.toThrow(UsageError);
  });
});
