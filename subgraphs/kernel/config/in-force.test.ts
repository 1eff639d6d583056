import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keysOf } from '../objects.ts';
import { settingsInForce } from './in-force.ts';
import { loadConfig } from './load.ts';
import { isSecret, SETTINGS } from './schema.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-in-force-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const inForce = (env: NodeJS.ProcessEnv) => {
  const settings = settingsInForce(loadConfig({ DATA_DIR: dataDir, ...env }));
  return { settings, of: (name: string) => settings.find((one) => one.name === name) };
};

/** A value for every secret, each of a part of its own that nothing else has. */
const SECRETS: Readonly<Record<string, string>> = {
  MONGODB_URI: 'mongodb://user:hunter2-hunter2@a.test,b.test/x?authMechanismProperties=hunter3-hunter3',
  INTERNAL_API_KEY: 'internal-key-of-this-test',
  ENCRYPTION_KEY: 'ab'.repeat(32),
  ENCRYPTION_KEY_PREVIOUS: `${'cd'.repeat(32)},${'ef'.repeat(32)}`,
  API_KEY_PEPPER: 'pepper-of-this-test-pepper-of-this-test',
  INTERNAL_TOKEN_KEY: 'token-key-of-this-test-0123456789-0',
  INTERNAL_TOKEN_KEY_PREVIOUS: 'token-key-before-this-test-01234567,another-one-before-this-test-01234',
  SMTP_URL: 'smtps://user:hunter7-hunter7@mail.test/hunter8-hunter8',
  PLATFORM_SIGN_IN_CLIENT_SECRET: 'client-secret-of-this-test',
  METRICS_TOKEN: 'metrics-token-of-this-test',
};

test('lists every setting once, in the order of the documentation', () => {
  expect(inForce({}).settings.map(({ name }) => name)).toEqual(keysOf(SETTINGS));
});

test('no secret shows its value, and no address what it has of secrets', () => {
  expect(Object.keys(SECRETS)).toEqual(keysOf(SETTINGS).filter(isSecret));
  const addresses = keysOf(SETTINGS).filter((name) => /_URL$/.test(name) && !isSecret(name));
  const address = 'https://provider.test/hunter6-hunter6?token=hunter5-hunter5';
  const { settings, of } = inForce({
    ...SECRETS,
    MAIL_FROM: 'noreply@api.test',
    ...{ PLATFORM_SIGN_IN_ISSUER: 'https://login.test', PLATFORM_SIGN_IN_CLIENT_ID: 'console' },
    PLATFORM_SIGN_IN_ROLES: 'on-call=operator',
    ...Object.fromEntries(addresses.map((name) => [name, address])),
  });
  const shown = JSON.stringify(settings);
  const { MONGODB_URI: _uri, ...others } = SECRETS;
  const hidden = [...Object.values(others).flatMap((value) => value.split(',')), 'hunter'];
  expect(hidden.filter((value) => shown.includes(value))).toEqual([]);
  expect(of('MONGODB_URI')).toEqual({
    ...{ name: 'MONGODB_URI', value: 'mongodb://***@a.test,b.test/x', source: 'GIVEN', isSecret: true },
  });
  expect(addresses.length).toBeGreaterThan(8);
  expect(addresses.map((name) => of(name)?.value)).toEqual(
    addresses.map(() => 'https://provider.test/***?***'),
  );
});

test('distinguishes given values, defaults and generated secrets', () => {
  const { of } = inForce({ PORT: '4000', LOG_LEVEL: '', CORS_ORIGINS: 'https://a.test,https://b.test' });
  expect(of('PORT')).toMatchObject({ value: '4000', source: 'GIVEN' });
  expect(of('LOG_LEVEL')).toMatchObject({ value: 'info', source: 'DEFAULT' });
  expect(of('CORS_ORIGINS')).toMatchObject({ value: 'https://a.test,https://b.test', source: 'GIVEN' });
  expect(of('WEBHOOK_RETRY_SECONDS')).toMatchObject({ value: '60,300,1800,7200,43200', source: 'DEFAULT' });
  expect(of('PUBLIC_URL')).toMatchObject({ value: null, source: 'DEFAULT', isSecret: false });
  expect(of('ENCRYPTION_KEY')).toMatchObject({ value: null, source: 'GENERATED', isSecret: true });
  expect(of('ENCRYPTION_KEY_PREVIOUS')).toMatchObject({ value: null, source: 'DEFAULT', isSecret: true });
  expect(of('INTERNAL_TOKEN_KEY')).toMatchObject({ value: null, source: 'DEFAULT' });
});
