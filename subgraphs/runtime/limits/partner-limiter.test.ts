import { describe, expect, test } from '@jest/globals';
import type { Principal } from '../../kernel/principal.ts';
import { limitPartners } from './partner-limiter.ts';
import { quotaHeaders } from './quota-headers.ts';
import type { RateLimit } from './rate-limiter.ts';

const LIMIT: RateLimit = { name: 'calls', limit: 30, windowSeconds: 60 };
const principal = (keyId: string, changes: Partial<Principal> = {}): Principal => ({
  ...{ accountId: 'acme/live' as const, keyId, scopes: ['partner'] },
  ...changes,
});

/** A limiter that only counts. */
function counting(answer: 'at once' | 'later') {
  const counts = new Map<string, number>();
  const count = ({ name, limit }: RateLimit, caller: string) => {
    const taken = counts.get(`${name}/${caller}`) ?? 0;
    counts.set(`${name}/${caller}`, Math.min(taken + 1, limit));
    return taken < limit
      ? ({ allowed: true, remaining: limit - taken - 1, resetSeconds: 50 } as const)
      : ({ allowed: false, retryAfterSeconds: 9 } as const);
  };
  return {
    take: (limit: RateLimit, caller: string) =>
      answer === 'at once' ? count(limit, caller) : Promise.resolve(count(limit, caller)),
  };
}

test.each(['at once', 'later'] as const)(
  'keys of a partner share twice the limit of one, in each environment, whatever keys they are (%s)',
  async (answer) => {
    const limits = limitPartners(counting(answer), 2);
    const allowed = async (makeCaller: (call: number) => Principal) => {
      let count = 0;
      for (let call = 0; call < 90; call += 1) {
        count += (await limits.take(LIMIT, makeCaller(call))).allowed ? 1 : 0;
      }
      return count;
    };
    expect(await allowed(() => principal('key_1'))).toBe(30);
    expect(await allowed((call) => principal(`key_${call + 2}`))).toBe(30);
    expect(await allowed((call) => principal(`key_${call}`, { accountId: 'acme/sandbox' }))).toBe(60);
    expect(await allowed((call) => principal(`other_${call}`, { accountId: 'globex/sandbox' }))).toBe(60);
  },
);

test('a key over its limit takes nothing from its partner', async () => {
  const limits = limitPartners(counting('at once'), 2);
  for (let call = 0; call < 200; call += 1) {
    await limits.take(LIMIT, principal('loud'));
  }
  expect(await limits.take(LIMIT, principal('quiet'))).toEqual({
    allowed: true,
    quotas: [
      { limit: LIMIT, left: { remaining: 29, resetSeconds: 50 } },
      {
        limit: { name: 'calls-all-keys', limit: 60, windowSeconds: 60 },
        left: { remaining: 29, resetSeconds: 50 },
      },
    ],
  });
});

test('a limit of 0 is no limit, and no call counts for it', async () => {
  const limits = limitPartners(counting('at once'), 2);
  const verdict = await limits.take({ ...LIMIT, limit: 0 }, principal('key_1'));
  expect(verdict).toEqual({ allowed: true, quotas: [] });
});

describe('the headers of a call', () => {
  const POLICY = '"calls";q=2;w=60, "calls-all-keys";q=4;w=60';
  const small = { ...LIMIT, limit: 2 };

  test('name what is left for the key and for all keys, and stay the same policies when the key is over its limit', async () => {
    const limits = limitPartners(counting('at once'), 2);
    const calls = ['key_1', 'key_1', 'key_1', 'key_2'].map((key) => limits.take(small, principal(key)));
    const verdicts = await Promise.all(calls);
    expect(verdicts.map(({ quotas }) => quotaHeaders(quotas))).toEqual([
      { 'ratelimit-policy': POLICY, ratelimit: '"calls";r=1;t=50, "calls-all-keys";r=3;t=50' },
      { 'ratelimit-policy': POLICY, ratelimit: '"calls";r=0;t=50, "calls-all-keys";r=2;t=50' },
      { 'ratelimit-policy': POLICY, ratelimit: '"calls";r=0;t=9' },
      { 'ratelimit-policy': POLICY, ratelimit: '"calls";r=1;t=50, "calls-all-keys";r=1;t=50' },
    ]);
  });

  test('name the limit of all keys where it rejects the call', async () => {
    const limits = limitPartners(counting('at once'), 1);
    await limits.take(small, principal('key_1'));
    await limits.take(small, principal('key_2'));
    const verdict = await limits.take(small, principal('key_3'));
    expect(verdict).toMatchObject({ allowed: false, retryAfterSeconds: 9 });
    expect(quotaHeaders(verdict.quotas).ratelimit).toBe('"calls";r=1;t=50, "calls-all-keys";r=0;t=9');
  });

  test('are none where no limit counts', () => {
    expect(quotaHeaders([])).toEqual({});
  });
});
