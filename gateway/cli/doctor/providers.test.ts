import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../../subgraphs/kernel/config/load.ts';
import { checkEnvironments, checkProviders } from './providers.ts';

const SECRETS = Object.fromEntries(
  ['ENCRYPTION_KEY', 'API_KEY_PEPPER', 'INTERNAL_API_KEY', 'INTERNAL_TOKEN_KEY'].map((name) => [
    name,
    randomBytes(32).toString('hex'),
  ]),
);
const configWith = (changes: Readonly<Record<string, string>>) =>
  loadConfig({
    NODE_ENV: 'production',
    MONGODB_URI: 'mongodb://db.example/remitgraph',
    ...SECRETS,
    ...changes,
  });
const check = (changes: Readonly<Record<string, string>>) =>
  checkProviders(configWith(changes), async () => [
    { tenantId: 'nova', environment: 'live', features: ['request-money'] },
  ]);

test.each([
  ['live', 'This deployment serves live.'],
  ['sandbox', 'This deployment serves sandbox.'],
  ['sandbox,live', 'This deployment serves sandbox and live.'],
])('ENVIRONMENTS=%s is reported', (ENVIRONMENTS, what) => {
  const finding = checkEnvironments(configWith({ ENVIRONMENTS }));
  expect(finding).toEqual({ check: 'environments', status: 'ok', what });
});

describe('A provider of live calls that is not configured', () => {
  const what = expect.stringMatching(
    /^IDENTITY_VALIDATOR_URL is not set\. Live calls of nova fail with 503 .*\.$/,
  );

  test.each(['live', 'sandbox,live'])('is a warning with ENVIRONMENTS=%s', async (ENVIRONMENTS) => {
    const fix = 'Set IDENTITY_VALIDATOR_URL before these partners go live.';
    expect(await check({ ENVIRONMENTS })).toEqual([{ check: 'providers', status: 'warning', what, fix }]);
  });

  test('is no more than a note outside production', async () => {
    const found = await check({ NODE_ENV: 'development' });
    expect(found).toEqual([{ check: 'providers', status: 'ok', what }]);
  });

  test.each([
    ['where only the sandbox is served', { ENVIRONMENTS: 'sandbox' }, /not served/],
    [
      'once the one that partners need is set',
      { IDENTITY_VALIDATOR_URL: 'http://127.0.0.1:1' },
      /^Every provider/,
    ],
  ])('is no warning %s', async (_where, changes, text) => {
    expect(await check(changes)).toEqual([
      { check: 'providers', status: 'ok', what: expect.stringMatching(text) },
    ]);
  });
});
