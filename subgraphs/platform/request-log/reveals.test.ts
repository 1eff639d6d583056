import { expect, test } from '@jest/globals';
import type { RequestContext } from '../principal.ts';
import type { RequestDocument } from './model.ts';
import { createReveals } from './reveals.ts';

const NOW = new Date('2026-11-23T08:00:00.000Z');
const SESSION = { sessionId: 'cse_1', access: 'read', expiresAt: 0 } as const;

const contextOf = (consoleSession?: typeof SESSION): RequestContext => ({
  principal: {
    tenantId: 'acme',
    keyId: 'key_1',
    scopes: ['partner'],
    environment: 'sandbox',
    consoleSession,
  },
  requestId: 'r-1',
});

function openReveals() {
  const entries: RequestDocument[] = [];
  const lines: object[] = [];
  const reveals = createReveals({
    recorder: { record: (entry) => void entries.push(entry) },
    log: { info: (line: object, message: string) => void lines.push({ ...line, message }) } as never,
    clock: () => NOW,
  });
  return { reveals, entries, lines };
}

test('a console session that reads contact data is recorded with its session', () => {
  const { reveals, entries, lines } = openReveals();
  reveals.note(contextOf(SESSION), 'usr_1');
  expect(entries).toEqual([
    {
      _id: expect.stringMatching(/^req_/),
      tenantId: 'acme',
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
  expect(lines).toEqual([
    {
      tenantId: 'acme',
      keyId: 'key_1',
      sessionId: 'cse_1',
      userId: 'usr_1',
      requestId: 'r-1',
      message: 'user.contact data read',
    },
  ]);
});

test('the fields of one user in a request are one entry, each user and each request another', () => {
  const { reveals, entries, lines } = openReveals();
  const request = contextOf(SESSION);
  for (const userId of ['usr_1', 'usr_1', 'usr_2']) {
    reveals.note(request, userId);
  }
  reveals.note(contextOf(SESSION), 'usr_1');
  expect(entries.map(({ keys }) => keys[1])).toEqual(['usr_1', 'usr_2', 'usr_1']);
  expect(lines).toHaveLength(3);
});

test('an API key, and nobody, leave nothing', () => {
  const { reveals, entries, lines } = openReveals();
  reveals.note(contextOf(), 'usr_1');
  reveals.note({ principal: null, requestId: 'r-1' }, 'usr_1');
  expect([entries, lines]).toEqual([[], []]);
});
