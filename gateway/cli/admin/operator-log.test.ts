import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createRemittanceModel,
  type RemittanceDocument,
} from '../../../subgraphs/remittances/store/model.ts';
import { createUsersModels } from '../../../subgraphs/users/store/model.ts';
import { type Answer, runCommand, UsageError } from './commands.ts';
import { printAnswer } from './print.ts';
import { type AdminBench, openAdminBench } from './testing.ts';

let bench: AdminBench;
beforeAll(async () => {
  bench = await openAdminBench();
  await run('tenant', 'create', ...ACME, '--webhook-url', HOOK, '--webhook-secret', SECRET);
});
afterAll(() => bench.close());

const SECRET = 'whsec_of_acme_1';
const HOOK = 'https://user:hush@hooks.test/in';
const ACME = ['--id', 'acme', '--name', 'Acme', '--country', 'MX', '--source-country', 'US'];
const ROUTE = ['--source-country', 'US', '--destination-country', 'MX', '--currency', 'MXN'];
const PAIR = ['--source', 'USD', '--destination', 'MXN'];
const OF_ACME = ['--tenant', 'acme'];
const run = (...args: string[]): Promise<Answer> => runCommand(bench.deps, args);
const entries = async (...args: string[]) => (await run('log', ...args)).rows;
const BY = { source: 'COMMAND', actor: 'ana', host: 'ops-1', createdAt: expect.any(String) };

async function storeRemittance(correlationId: string, more: Partial<RemittanceDocument> = {}) {
  const at = new Date(Date.now() - 60_000);
  const { collectionName } = createRemittanceModel(bench.connection).collection;
  await bench.connection.collection<{ _id: string }>(collectionName).insertOne({
    ...{ _id: `acme/sandbox|${correlationId}`, accountId: 'acme/sandbox', correlationId, userId: 'usr_1' },
    ...{ status: 'IN_PROGRESS', isOpen: true, phase: 'CIP', phaseSince: at },
    ...{ version: 1, attempts: 2, claims: 0, nextAttemptAt: new Date(Date.now() + 600_000) },
    ...{ createdAt: at, updatedAt: at, ...more },
  });
  return ['--tenant', 'acme', '--correlation-id', correlationId];
}

/** Runs a command that changes something, and gives its entries. */
async function entriesOf(...args: string[]) {
  const before = (await entries('--limit', '1000')).length;
  const answer = await run(...args);
  const all = await entries('--limit', '1000');
  return { answer, added: all.slice(0, all.length - before) };
}

describe('The operator log', () => {
  test('has tenants, without secrets and credentials of URLs', async () => {
    const [created] = await entries('--act', 'tenant create');
    expect(created).toMatchObject({ ...BY, tenantId: 'acme', subject: 'acme', after: { name: 'Acme' } });
    const { added } = await entriesOf(
      ...['tenant', 'update', '--id', 'acme', '--name', 'Acme Pay', '--webhook-secret', `${SECRET}_2`],
    );
    expect(added).toMatchObject([
      {
        ...{ ...BY, act: 'tenant update' },
        before: { sandbox: { name: 'Acme' }, live: { name: 'Acme' } },
        after: {
          sandbox: { name: 'Acme Pay', changedSecrets: ['webhookSecret'] },
          live: { name: 'Acme Pay', changedSecrets: ['webhookSecret'] },
        },
      },
    ]);
    expect((await entriesOf('tenant', 'update', '--id', 'acme', '--name', 'Acme Pay')).added).toEqual([]);
    expect(JSON.stringify(await entries())).not.toMatch(/whsec_of|hush/);
  });

  test('has keys and console links, without their secrets', async () => {
    const { answer, added } = await entriesOf('key', 'create', ...OF_ACME, '--label', 'backend');
    const [{ key, keyId } = {}] = answer.rows;
    expect(added).toMatchObject([
      { ...BY, act: 'key create', tenantId: 'acme', subject: keyId, after: { label: 'backend' } },
    ]);
    const revoked = await entriesOf('key', 'revoke', '--id', String(keyId));
    expect(revoked.added).toMatchObject([
      { act: 'key revoke', before: { revokedAt: null }, after: { revokedAt: expect.any(String) } },
    ]);
    expect((await entriesOf('key', 'revoke', '--id', String(keyId))).added).toEqual([]);
    const link = await entriesOf('console-link', '--platform', '--label', 'On call');
    const [{ url, sessionId } = {}] = link.answer.rows;
    expect(link.added).toMatchObject([{ act: 'console-link', subject: sessionId }]);
    expect(link.added[0]).not.toHaveProperty('tenantId');
    const ended = await entriesOf('console-session', 'revoke', '--platform', '--id', String(sessionId));
    expect(ended.added).toMatchObject([{ act: 'console-session revoke', subject: sessionId }]);
    const all = JSON.stringify(await entries('--limit', '1000'));
    expect(all).not.toContain(String(key));
    expect(all).not.toContain(String(url).split('=')[1]);
  });

  test('has routes and rates before and after', async () => {
    const set = ['route', 'set', ...ROUTE, '--payout-type', 'cash'];
    expect((await entriesOf(...set)).added).toMatchObject([
      { act: 'route set', subject: 'US-MX MXN cash', after: { payoutType: 'cash' } },
    ]);
    expect((await entriesOf(...set)).added).toEqual([]);
    const removed = await entriesOf('route', 'remove', ...ROUTE, '--payout-type', 'cash');
    expect(removed.added).toMatchObject([{ act: 'route remove', before: { payoutType: 'cash' } }]);
    expect((await entriesOf('rate', 'set', ...PAIR, '--rate', '18')).added).toMatchObject([
      { act: 'rate set', subject: 'USD/MXN', after: { rate: '18' } },
    ]);
    expect((await entriesOf('rate', 'set', ...PAIR, '--rate', '19')).added).toMatchObject([
      { before: { rate: '18' }, after: { rate: '19' } },
    ]);
    expect((await entriesOf('rate', 'set', ...PAIR, '--rate', '19')).added).toEqual([]);
    expect((await entriesOf('rate', 'remove', ...PAIR)).added).toMatchObject([{ act: 'rate remove' }]);
  });

  test('has webhooks that are held or sent again', async () => {
    const endpoint = [...OF_ACME, '--endpoint', 'first'];
    expect((await entriesOf('webhooks', 'pause', ...endpoint)).added).toMatchObject([
      { act: 'webhooks pause', before: { pausedAt: null }, after: { pausedAt: expect.any(String) } },
    ]);
    expect((await entriesOf('webhooks', 'pause', ...endpoint)).added).toEqual([]);
    expect((await entriesOf('webhooks', 'resume', ...endpoint)).added).toMatchObject([
      { act: 'webhooks resume', after: { pausedAt: null } },
    ]);
    expect((await entriesOf('webhooks', 'replay', ...OF_ACME, '--dry-run')).added).toEqual([]);
    const { added, answer } = await entriesOf('webhooks', 'replay', ...OF_ACME);
    const id = String(answer.rows[0]?.id);
    expect(added).toMatchObject([{ act: 'webhooks replay', subject: id }]);
    expect((await entriesOf('webhooks', 'stop', ...OF_ACME, '--id', id)).added).toMatchObject([
      { act: 'webhooks stop', subject: id },
    ]);
  });

  test('has the erasure of a user, once', async () => {
    const _id = 'usr_erased';
    const at = new Date();
    const profile = bench.fieldsBox.seal('{"firstName":"Ana"}', `acme/sandbox|profile|${_id}`);
    await createUsersModels(bench.connection).users.create({
      ...{
        _id,
        accountId: 'acme/sandbox',
        profile,
        cipStatus: 'pending',
        blocked: false,
        createdAt: at,
        updatedAt: at,
      },
    });
    const erase = ['user', 'erase', ...OF_ACME, '--user', _id, '--reason', 'Request 4711'];
    const { added, answer } = await entriesOf(...erase);
    expect(answer.rows).toMatchObject([
      { userId: _id, erasureRequestedAt: expect.any(Date), erasedAt: null },
    ]);
    expect(added).toMatchObject([
      { act: 'user erase', tenantId: 'acme', subject: _id, reason: 'Request 4711' },
    ]);
    expect((await entriesOf(...erase)).added).toEqual([]);
    await expect(run(...erase.slice(0, 4), '--user', 'usr_none', '--reason', 'x')).rejects.toThrow(
      'USER_NOT_FOUND',
    );
  });

  test('has nothing of a command that fails, which changes nothing either', async () => {
    const { operatorLog } = bench.deps;
    const before = await entries('--limit', '1000');
    await expect(run('key', 'revoke', '--id', 'key_none')).rejects.toThrow(UsageError);
    // It has written already when it fails.
    const failing = { ...bench.deps, consoleSessions: bench.deps.consoleSessions, publicUrl: undefined };
    await expect(runCommand(failing, ['console-link', ...OF_ACME])).rejects.toThrow('PUBLIC_URL');
    const act = async () => {
      await bench.deps.tenants.upsertFxRate({ source: 'EUR', destination: 'USD', rate: '1.1' });
      throw new UsageError('Too late');
    };
    await expect(bench.deps.acts.record('rate set', bench.deps.operator, act)).rejects.toThrow('Too late');
    expect(await entries('--limit', '1000')).toEqual(before);
    expect((await bench.deps.tenants.allFxRates()).map(({ source }) => source)).not.toContain('EUR');
    expect((await operatorLog.list({ tenantId: 'other' }, {})).nodes).toEqual([]);
  });

  test('is filtered, and written as JSON, as JSON lines and as CSV', async () => {
    const since = new Date(Date.now() + 1).toISOString();
    await storeRemittance('corr-log');
    await run('remittances', 'retry', ...OF_ACME, '--correlation-id', 'corr-log', '--reason', '=1+1');
    const filter = [...OF_ACME, '--act', 'remittances retry', '--since', since];
    const [entry, ...others] = await entries(...filter);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ ...BY, reason: '=1+1' });
    expect(await entries(...OF_ACME, '--until', '2020-01-01T00:00:00Z')).toEqual([]);
    const written = async (...args: string[]) => printAnswer(await run('log', ...filter, ...args), false);
    const [line, end] = (await written('--jsonl')).split('\n');
    expect(JSON.parse(String(line))).toMatchObject({ ...entry, sessionId: null });
    expect(end).toBe('');
    const [header, record] = (await written('--csv')).split('\r\n');
    expect(header).toBe(
      '"id","createdAt","source","actor","sessionId","host","act","tenantId","environment","subject","reason","before","after"',
    );
    expect(record).toContain(`"corr-log","'=1+1","{""status""`);
    expect(await written()).toMatch(/before +\{"status":"IN_PROGRESS"/);
    await expect(run('log', '--csv', '--jsonl')).rejects.toThrow(UsageError);
    await expect(run('log', '--limit', '0')).rejects.toThrow(UsageError);
    await expect(run('log', '--since', 'now')).rejects.toThrow(UsageError);
  });
});

describe('The commands of remittances', () => {
  test('list stuck ones, show them, and end them with their outcome', async () => {
    const of = await storeRemittance('corr-stuck');
    const { rows } = await run('remittances', 'list', '--stuck', ...OF_ACME);
    const stuck = rows.find(({ correlationId }) => correlationId === 'corr-stuck');
    expect(stuck).toMatchObject({
      id: 'acme/sandbox|corr-stuck',
      phase: 'CIP',
      attempts: 2,
      retry: 'possible',
    });
    expect((await run('remittances', 'show', '--id', 'acme/sandbox|corr-stuck')).rows).toEqual([stuck]);
    await expect(run('remittances', 'fail', ...of)).rejects.toThrow('--reason is required');
    const { answer, added } = await entriesOf('remittances', 'fail', ...of, '--reason', 'Ticket 812');
    expect(answer).toMatchObject({ rows: [{ status: 'FAILED' }], note: 'Ended.' });
    expect(added).toMatchObject([
      { ...BY, act: 'remittances fail', subject: 'corr-stuck', reason: 'Ticket 812' },
    ]);
    await expect(run('remittances', 'fail', ...of, '--reason', 'Again')).rejects.toThrow('has ended');
    await expect(run('remittances', 'retry', ...of)).rejects.toThrow('has ended');
  });

  test('end with the webhook of the outcome where the tenant has a hook', async () => {
    const hook = ['--status-hook', 'https://hook.test/outcome', '--shared-secret', 'shared_acme_1'];
    await run('tenant', 'update', '--id', 'acme', ...hook);
    const of = await storeRemittance('corr-hook');
    await run('remittances', 'fail', ...of, '--reason', 'Ticket 813');
    const { rows } = await run('webhooks', 'list', ...OF_ACME, '--event', 'request_money_full_outcome');
    expect(rows).toMatchObject([{ status: 'PENDING', url: 'https://hook.test/outcome' }]);
  });

  test('list those whose withdrawal was given up', async () => {
    const at = new Date();
    const cause = { code: 'ERROR_INTERNAL_SERVER_ERROR', message: 'No answer.' } as const;
    const withdrawal = { status: 'UNKNOWN', since: at, attempts: 9, cause } as const;
    await storeRemittance('corr-unknown', { status: 'FAILED', payerMayHaveBeenAsked: true, withdrawal });
    expect((await run('remittances', 'list', '--unknown')).rows).toMatchObject([
      { correlationId: 'corr-unknown', withdrawal: 'UNKNOWN' },
    ]);
  });

  test.each([
    [['list'], 'either --stuck or --unknown'],
    [['list', '--stuck', '--unknown'], 'either --stuck or --unknown'],
    [['list', '--stuck', '--limit', '1001'], '--limit takes 1 to 1000'],
    [['show'], 'either --id, or --tenant and --correlation-id'],
    [['show', '--id', 'x', '--tenant', 'acme'], 'either --id, or --tenant and --correlation-id'],
    [['show', '--tenant', 'acme'], '--correlation-id is required'],
    [['show', '--id', 'acme/sandbox|none'], 'There is no remittance acme/sandbox|none.'],
  ])('%j is refused: %s', async (args, message) => {
    await expect(run('remittances', ...args)).rejects.toThrow(message);
  });
});
