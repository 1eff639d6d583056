import { expect, test } from '@jest/globals';
import type { RequestContext } from '../../kernel/principal.ts';
import type { RequestDocument } from './model.ts';
import { createReveals } from './reveals.ts';

const NOW = new Date('2026-11-23T08:00:00.000Z');
const SESSION = { sessionId: 'cse_1', label: 'Ana', access: 'read', expiresAt: 0 } as const;

const contextOf = (consoleSession?: typeof SESSION): RequestContext => ({
  principal: {
    accountId: 'acme/sandbox',
    keyId: 'key_1',
    scopes: ['partner'],
    consoleSession,
  },
  requestId: 'r-1',
});

function openReveals() {
  const entries: RequestDocument[] = [];
  const batches: number[] = [];
  const lines: object[] = [];
  let answer: () => Promise<unknown> = async () => undefined;
  const reveals = createReveals({
    insert: async (documents) => {
      await answer();
      batches.push(documents.length);
      entries.push(...documents);
    },
    log: { info: (line: object, message: string) => void lines.push({ ...line, message }) } as never,
    clock: () => NOW,
  });
  return {
    reveals,
    entries,
    batches,
    lines,
    answerBy: (next: typeof answer) => {
      answer = next;
    },
  };
}

test('a console session gets contact data when it is on record, with its session', async () => {
  const { reveals, entries, lines } = openReveals();
  const value = reveals.reveal(contextOf(SESSION), 'usr_1', '+5215512345678');
  expect(value).toBeInstanceOf(Promise);
  expect(await value).toBe('+5215512345678');
  expect(entries).toEqual([
    {
      _id: expect.stringMatching(/^req_/),
      accountId: 'acme/sandbox',
      sessionId: 'cse_1',
      actor: 'Ana',
      createdAt: NOW,
      requestId: 'r-1',
      surface: 'GRAPHQL',
      isMutation: false,
      isReveal: true,
      outcome: 'SUCCESS',
      ms: 0,
      keyId: 'key_1',
      keys: ['r-1', 'usr_1'],
    },
  ]);
  const ids = {
    accountId: 'acme/sandbox',
    keyId: 'key_1',
    sessionId: 'cse_1',
    userId: 'usr_1',
    requestId: 'r-1',
  };
  expect(lines).toEqual([{ ...ids, message: 'user.contact_data_read' }]);
});

test('an entry that cannot be recorded is not read, and the next request tries again', async () => {
  const { reveals, entries, lines, answerBy } = openReveals();
  answerBy(() => Promise.reject(new Error('away')));
  const request = contextOf(SESSION);
  await expect(reveals.reveal(request, 'usr_1', 'secret')).rejects.toThrow('away');
  await expect(reveals.reveal(request, 'usr_1', 'secret')).rejects.toThrow('away');
  expect([entries, lines]).toEqual([[], []]);
  answerBy(async () => undefined);
  expect(await reveals.reveal(contextOf(SESSION), 'usr_1', 'secret')).toBe('secret');
});

test('the fields of one subject in a request are one entry; a list is one command', async () => {
  const { reveals, entries, batches, lines } = openReveals();
  const request = contextOf(SESSION);
  await Promise.all(['usr_1', 'usr_1', 'usr_2'].map((id) => reveals.reveal(request, id, id)));
  await reveals.reveal(request, 'usr_2', 'again');
  await reveals.reveal(contextOf(SESSION), 'usr_1', 'again');
  expect(entries.map(({ keys }) => keys[1])).toEqual(['usr_1', 'usr_2', 'usr_1']);
  expect(batches).toEqual([2, 1]);
  expect(lines).toHaveLength(3);
});

test('10,000 of one partner are all recorded', async () => {
  const { reveals, entries } = openReveals();
  for (let list = 0; list < 100; list += 1) {
    const request = contextOf(SESSION);
    const ids = Array.from({ length: 100 }, (_, index) => `usr_${list}_${index}`);
    await Promise.all(ids.map((id) => reveals.reveal(request, id, id)));
  }
  expect(entries).toHaveLength(10_000);
});

test('an API key, and nobody, get it at once and leave nothing', () => {
  const { reveals, entries, lines } = openReveals();
  expect(reveals.reveal(contextOf(), 'usr_1', 1)).toBe(1);
  expect(reveals.reveal({ principal: null, requestId: 'r-1' }, 'usr_1', 2)).toBe(2);
  expect([entries, lines]).toEqual([[], []]);
});
