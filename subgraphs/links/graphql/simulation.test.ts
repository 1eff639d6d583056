import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import type { Principal } from '../../kernel/principal.ts';
import { acme, type Bench, createBench, globex } from '../testing.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());
beforeEach(async () => {
  bench = await createBench(store);
});

const ERRORS = 'userErrors { code path }';
const OPEN = `mutation ($id: ID!) {
  simulated: simulateLinkOpened(input: { linkId: $id }) { link { status openedAt } ${ERRORS} }
}`;
const CIP = `mutation ($id: ID!) {
  simulated: simulateCip(input: { userId: $id, status: VERIFIED, provider: "veriff", result: { score: 9 } }) { user { id } ${ERRORS} }
}`;
const RAISE = `mutation ($id: ID!) {
  simulated: simulateDataRequest(input: { linkId: $id, fields: ["dob"] }) { dataRequest { fields status } ${ERRORS} }
}`;

interface Simulated {
  readonly simulated: { readonly userErrors: readonly { code: string }[] } & Readonly<
    Record<string, unknown>
  >;
}

const run = async (source: string, id: string, by?: Principal) =>
  (await bench.execute<Simulated>(source, { id }, by)).data?.simulated;
const stateOf = async (linkId: string) => ({
  timeline: (await bench.timeline(linkId)).map(({ type }) => type),
  deliveries: bench.deliveries.length,
  events: bench.events.length,
});

describe('a simulation', () => {
  test('opens a link once, also of two at once', async () => {
    const { linkId } = await bench.newLink();
    const opened = { link: { status: 'OPENED', openedAt: '2026-11-21T08:00:00.000Z' }, userErrors: [] };
    expect(await Promise.all([run(OPEN, linkId), run(OPEN, linkId)])).toEqual([opened, opened]);
    expect((await stateOf(linkId)).timeline).toEqual(['link.created', 'link.opened']);
  });

  test('records an identity check with its provider and result, on the links of the user', async () => {
    const { linkId, userId } = await bench.newLink();
    expect(await run(CIP, userId)).toEqual({ user: { id: userId }, userErrors: [] });
    expect(await bench.timeline(linkId)).toMatchObject([
      { type: 'link.created' },
      { type: 'cip.verified', actor: 'system', data: { userId, provider: 'veriff' } },
    ]);
    const [user] = await store.connection
      .collection<{ _id: string }>('users')
      .find({ _id: userId })
      .toArray();
    expect(user).toMatchObject({ cipStatus: 'verified', cipProvider: 'veriff' });
  });

  test('of an identity check has no environment of its own: the member is ignored, as any other', async () => {
    const { userId } = await bench.newLink();
    const source = `mutation ($id: ID!, $body: String!) {
      simulated: simulateCipFromJson(userId: $id, body: $body) { user { id } ${ERRORS} }
    }`;
    for (const environment of ['live', 'moon']) {
      const body = JSON.stringify({ status: 'verified', environment });
      expect((await bench.execute<Simulated>(source, { id: userId, body })).data?.simulated).toEqual({
        user: { id: userId },
        userErrors: [],
      });
    }
  });

  test('raises a data request, with its webhook', async () => {
    const { linkId } = await bench.newLink();
    expect(await run(RAISE, linkId)).toEqual({
      dataRequest: { fields: ['dob'], status: 'OPEN' },
      userErrors: [],
    });
    expect(bench.deliveries).toMatchObject([{ event: 'user.data_request', accountId: 'acme/sandbox' }]);
  });

  test.each([
    ['a live key', 'SANDBOX_ONLY', { ...acme, accountId: 'acme/live' as const }],
    ["another partner's key", undefined, globex],
  ])('by %s changes nothing', async (_name, code, by) => {
    const { linkId, userId } = await bench.newLink();
    const before = await stateOf(linkId);
    const answers = [
      await run(OPEN, linkId, by),
      await run(CIP, userId, by),
      await run(RAISE, linkId, by),
    ].map((answer) => answer?.userErrors[0]?.code);
    expect(answers).toEqual([code ?? 'LINK_NOT_FOUND', code ?? 'USER_NOT_FOUND', code ?? 'LINK_NOT_FOUND']);
    expect(await stateOf(linkId)).toEqual(before);
  });

  test('needs the scope partner, and no browser token or read-only session runs it', async () => {
    const { linkId } = await bench.newLink();
    const expiresAt = Date.now() + 60_000;
    const callers: Principal[] = [
      { ...acme, scopes: ['partner_admin'] },
      { ...acme, scopes: ['internal'] },
      { ...acme, browserToken: { tokenId: 'bt_1', expiresAt } },
      { ...acme, consoleSession: { sessionId: 'cs_1', label: '', access: 'read', expiresAt } },
    ];
    for (const caller of callers) {
      for (const source of [OPEN, CIP, RAISE]) {
        expect((await bench.execute(source, { id: linkId }, caller)).errors).toMatchObject([
          { extensions: { code: 'FORBIDDEN' } },
        ]);
      }
    }
  });
});
