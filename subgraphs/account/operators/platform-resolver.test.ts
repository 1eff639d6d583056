import { expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { PLATFORM_ACCOUNT, type Principal, type RequestContext } from '../../kernel/principal.ts';
import type { ProcessDocument } from '../../runtime/processes/model.ts';
import type { Operators } from './index.ts';
import { PlatformResolver } from './platform-resolver.ts';

const OPERATOR: Principal = {
  ...{ accountId: PLATFORM_ACCOUNT, keyId: 'cse_1', scopes: ['platform'], environment: 'sandbox' },
  consoleSession: { sessionId: 'cse_1', label: 'Ana', access: 'read', expiresAt: 0 },
};

/** The time of the database, which is not the machine's. */
const NOW = new Date(Date.now() + 3_600_000);
const lines: unknown[] = [];
const resolverOf = (operators: Partial<Operators> = {}) =>
  // The cast: the rest of the operators' readings is not called.
  new PlatformResolver({
    operators: { now: () => NOW, ...operators } as Operators,
    log: { info: (...line: unknown[]) => void lines.push(line) },
  });
const read = (principal: RequestContext['principal']) =>
  resolverOf().platform({ principal, requestId: 'r-1' });

test('each read of the platform is in the log with its reader', () => {
  expect(read(OPERATOR)).toEqual({ now: NOW });
  expect(lines).toEqual([[{ sessionId: 'cse_1', requestId: 'r-1' }, 'platform.read']]);
});

test.each<[string, Principal | null]>([
  ['nobody', null],
  ['a partner with the scope', { ...OPERATOR, accountId: 'acme/sandbox' }],
  ['the platform without a session', { ...OPERATOR, consoleSession: undefined }],
])('%s does not read it', (_name, principal) => {
  expect(() => read(principal)).toThrow(GraphQLError);
});

test('a process that has not reported for over 90 seconds is shown as silent', async () => {
  const now = NOW.getTime();
  const one = (id: string, seconds: number): ProcessDocument => ({
    ...{ _id: id, role: 'worker', version: '1', host: 'a', pid: 1, settings: [] },
    startedAt: new Date(now - 600_000),
    seenAt: new Date(now - seconds * 1_000),
  });
  const processes = async () => [one('proc_1', 80), one('proc_2', 100)];
  const reported = await resolverOf({ processes }).processes();
  expect(reported.map(({ id, isSilent }) => [id, isSilent])).toEqual([
    ['proc_1', false],
    ['proc_2', true],
  ]);
});
