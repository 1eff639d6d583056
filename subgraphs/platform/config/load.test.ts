import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig, summarize } from './load.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function faultsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig({ DATA_DIR: dataDir, ...env });
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).faults.map((fault) => fault.setting);
  }
}

describe('loadConfig', () => {
  test('has the documented defaults', () => {
    expect(loadConfig({ DATA_DIR: dataDir })).toMatchObject({
      PORT: 4000,
      ROLE: 'all',
      WEBHOOK_SWEEP_SECONDS: 30,
      WEBHOOK_TIMEOUT_SECONDS: 10,
      WEBHOOK_RETRY_SECONDS: [60, 300, 1800, 7200, 43_200],
      WEBHOOK_MAX_ATTEMPTS: 5,
      WEBHOOK_NUDGE: true,
      WEBHOOK_ALLOWED_CIDRS: [],
    });
  });

  test('reports every fault at once', () => {
    expect(
      faultsOf({
        PORT: 'http',
        ENCRYPTION_KEY: 'abc',
        WEBHOOK_RETRY_SECONDS: '1,x',
        ROLE: 'king',
        MTLS_PORT: '4443',
      }),
    ).toEqual([
      'PORT',
      'ROLE',
      'ENCRYPTION_KEY',
      'WEBHOOK_RETRY_SECONDS',
      'MTLS_CERT_FILE',
      'MTLS_KEY_FILE',
      'MTLS_CA_FILE',
    ]);
  });

  test.each([
    ['WEBHOOK_ALLOWED_CIDRS', '127.0.0.1'],
    ['WEBHOOK_ALLOWED_CIDRS', '10.0.0.0/33'],
    ['API_KEY_PEPPER', 'short'],
    ['INTERNAL_TOKEN_KEY', 'short'],
    ['INTERNAL_TOKEN_KEY_PREVIOUS', `${'k'.repeat(32)},short`],
    ['MONGODB_URI', 'http://store'],
    ['SEED_FILE', '/nowhere/seed.json'],
    ['PORT', '70000'],
    ['WEBHOOK_NUDGE', 'yes'],
  ])('refuses %s=%s', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([name]);
  });

  test('requires the secrets in production', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual([
      'INTERNAL_API_KEY',
      'ENCRYPTION_KEY',
      'API_KEY_PEPPER',
    ]);
  });

  test('wants a long internal key in production', () => {
    const secrets = { ENCRYPTION_KEY: 'a'.repeat(64), API_KEY_PEPPER: 'b'.repeat(32) };
    expect(faultsOf({ NODE_ENV: 'production', ...secrets, INTERNAL_API_KEY: 'short' })).toEqual([
      'INTERNAL_API_KEY',
    ]);
    expect(faultsOf({ NODE_ENV: 'development', ...secrets, INTERNAL_API_KEY: 'short' })).toEqual([]);
  });

  test('asks a role of its own for the store, and a gateway for its subgraphs', () => {
    expect(faultsOf({ ROLE: 'worker' })).toEqual(['MONGODB_URI']);
    const url = 'http://127.0.0.1:4001/graphql';
    expect(faultsOf({ ROLE: 'gateway', MONGODB_URI: 'mongodb://db.test', SUBGRAPH_USERS_URL: url })).toEqual([
      'SUBGRAPH_OPERATIONS_URL',
      'SUBGRAPH_LINKS_URL',
      'SUBGRAPH_REQUEST_MONEY_URL',
    ]);
  });

  describe('the key of tokens between roles', () => {
    const url = 'http://127.0.0.1:4001/graphql';
    const secrets = {
      MONGODB_URI: 'mongodb://db.test',
      INTERNAL_API_KEY: 'internal_key_of_production',
      ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
      API_KEY_PEPPER: 'pepper-of-production-0123456789ab',
    };
    const split = {
      SUBGRAPH_OPERATIONS_URL: url,
      SUBGRAPH_USERS_URL: url,
      SUBGRAPH_LINKS_URL: url,
      SUBGRAPH_REQUEST_MONEY_URL: url,
      ...secrets,
    };

    test.each([
      ['gateway', ['INTERNAL_TOKEN_KEY']],
      ['subgraph-users', ['INTERNAL_TOKEN_KEY']],
      ['worker', []],
      ['all', []],
    ])('is required in production for those that talk to each other: %s', (ROLE, faults) => {
      const production = { NODE_ENV: 'production', ROLE, ...split };
      expect(faultsOf(production)).toEqual(faults);
      expect(faultsOf({ ...production, INTERNAL_TOKEN_KEY: 'k'.repeat(32) })).toEqual([]);
    });

    test.each(['INTERNAL_API_KEY', 'ENCRYPTION_KEY', 'API_KEY_PEPPER'])(
      'is none of the others: %s',
      (name) => {
        const value = 'ABCDEF0123456789'.repeat(4);
        const same = { ...secrets, [name]: value.toLowerCase(), INTERNAL_TOKEN_KEY: value };
        expect(faultsOf(same)).toEqual(['INTERNAL_TOKEN_KEY']);
      },
    );

    test('is generated once elsewhere, for those that need it', () => {
      const { INTERNAL_TOKEN_KEY: key } = loadConfig({ DATA_DIR: dataDir, ROLE: 'gateway', ...split });
      expect(key).toMatch(/^[\w-]{43}$/);
      const users = loadConfig({ DATA_DIR: dataDir, ROLE: 'subgraph-users', ...split });
      expect(users.INTERNAL_TOKEN_KEY).toBe(key);
      expect(statSync(join(dataDir, 'internal-token-key.secret')).mode & 0o777).toBe(0o600);
      expect(loadConfig({ DATA_DIR: dataDir, ...secrets }).INTERNAL_TOKEN_KEY).toBeUndefined();
    });
  });

  test('generates secrets once, readable by the owner alone', () => {
    const first = loadConfig({ DATA_DIR: dataDir });
    expect(first.ENCRYPTION_KEY).toMatch(/^[0-9a-f]{64}$/);
    expect(loadConfig({ DATA_DIR: dataDir })).toEqual(first);
    expect(statSync(join(dataDir, 'encryption-key.secret')).mode & 0o777).toBe(0o600);
  });

  test('takes an empty value as unset and reads lists', () => {
    const config = loadConfig({
      DATA_DIR: dataDir,
      SEED_FILE: '',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8, ::1/128',
    });
    expect(config.SEED_FILE).toBeUndefined();
    expect(config.WEBHOOK_ALLOWED_CIDRS).toEqual(['127.0.0.0/8', '::1/128']);
  });
});

describe('summarize', () => {
  test('shows no secret', () => {
    const tokenKey = 'token-key-of-production-0123456789';
    const config = loadConfig({
      DATA_DIR: dataDir,
      MONGODB_URI: 'mongodb://user:hunter2@db.test/x',
      INTERNAL_TOKEN_KEY: tokenKey,
      INTERNAL_TOKEN_KEY_PREVIOUS: tokenKey,
    });
    const shown = JSON.stringify(summarize(config));
    for (const secret of [
      'hunter2',
      tokenKey,
      config.ENCRYPTION_KEY,
      config.API_KEY_PEPPER,
      config.INTERNAL_API_KEY,
    ]) {
      expect(shown).not.toContain(secret);
    }
    expect(shown).toContain('"PORT":4000');
  });
});
