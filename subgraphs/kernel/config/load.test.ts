import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { summarize } from './in-force.ts';
import { ConfigError, loadConfig } from './load.ts';
import { SETTINGS, type SettingName } from './schema.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function issuesOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig({ DATA_DIR: dataDir, ...env });
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).issues.map((issue) => issue.setting);
  }
}

const SECRETS = {
  INTERNAL_API_KEY: 'internal_key_of_tests',
  ENCRYPTION_KEY: 'ab'.repeat(32),
  API_KEY_PEPPER: 'pepper-of-tests-pepper-of-tests-x',
};

/** Whether a setting is one of the product's own keys. */
const isKey = (name: string) =>
  'secret' in SETTINGS[name as SettingName] &&
  ![
    'MONGODB_URI',
    'ENCRYPTION_KEY_PREVIOUS',
    'INTERNAL_TOKEN_KEY_PREVIOUS',
    'PLATFORM_SIGN_IN_CLIENT_SECRET',
    'SMTP_URL',
  ].includes(name);

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
      WEBHOOK_BREAKER: true,
      WEBHOOK_ALLOWED_CIDRS: [],
    });
  });

  test('reports an invalid setting once, although others need it', () => {
    const file = 'package.json';
    const mtls = { MTLS_CERT_FILE: file, MTLS_KEY_FILE: file, MTLS_CA_FILE: file };
    expect(issuesOf({ MTLS_PORT: 'x', ...mtls })).toEqual(['MTLS_PORT']);
  });

  test('requires the sender of mail with its server, and the server with the sender', () => {
    expect(issuesOf({ SMTP_URL: 'smtps://mail.test' })).toEqual(['MAIL_FROM']);
    expect(issuesOf({ MAIL_FROM: 'noreply@api.test' })).toEqual(['SMTP_URL']);
    const [name, injected] = ['Ops <noreply@api.test>', 'noreply@api.test\nBcc: eve@evil.test'];
    expect(issuesOf({ SMTP_URL: 'https://mail.test', MAIL_FROM: name })).toEqual(['SMTP_URL', 'MAIL_FROM']);
    expect(issuesOf({ SMTP_URL: 'smtp://mail.test:587', MAIL_FROM: injected })).toEqual(['MAIL_FROM']);
    expect(issuesOf({ SMTP_URL: 'smtp://mail.test:587', MAIL_FROM: 'noreply@api.test' })).toEqual([]);
  });

  test('requires all of the sign-in of operators, and what can be used of it', () => {
    const all = {
      PLATFORM_SIGN_IN_ISSUER: 'https://login.test/realm',
      PLATFORM_SIGN_IN_CLIENT_ID: 'console',
      PLATFORM_SIGN_IN_CLIENT_SECRET: 'secret-of-tests',
      PLATFORM_SIGN_IN_ROLES: 'on-call=operator',
    };
    expect(issuesOf(all)).toEqual([]);
    for (const [name, value] of Object.entries(all)) {
      const others = Object.keys(all).filter((other) => other !== name);
      expect(issuesOf({ [name]: value })).toEqual(others);
    }
    const bad = { PLATFORM_SIGN_IN_ISSUER: 'http://login.test', PLATFORM_SIGN_IN_CLIENT_SECRET: 'short' };
    expect(issuesOf({ ...all, ...bad })).toEqual(Object.keys(bad));
    expect(issuesOf({ ...all, PLATFORM_SIGN_IN_ISSUER: 'https://login.test/?realm' })).toHaveLength(1);
  });

  test('reports every issue at once', () => {
    expect(
      issuesOf({
        PORT: 'http',
        ENCRYPTION_KEY: 'abc',
        WEBHOOK_RETRY_SECONDS: '1,x',
        ROLE: 'king',
        MTLS_PORT: '4443',
        WEBHOOK_CLIENT_CERT_FILE: 'package.json',
      }),
    ).toEqual([
      'PORT',
      'ROLE',
      'ENCRYPTION_KEY',
      'WEBHOOK_RETRY_SECONDS',
      'MTLS_CERT_FILE',
      'MTLS_KEY_FILE',
      'MTLS_CA_FILE',
      'WEBHOOK_CLIENT_KEY_FILE',
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
    ['PIPELINE_LEASE_SECONDS', '14'],
    ['RATE_LIMIT_GRAPHQL', ' '],
    ['HOST', '\t'],
    ['GRAPHQL_TIMEOUT_SECONDS', '2147484'],
    ['WEBHOOK_RETRY_SECONDS', '60,99999999999999999999'],
    ['PIPELINE_RETRY_SECONDS', '2592001'],
  ])('rejects %s=%s', (name, value) => {
    expect(issuesOf({ [name]: value })).toEqual([name]);
  });

  test('rejects the credentials of each URL that is called without them', () => {
    const names = Object.keys(SETTINGS).filter((name) => name.endsWith('_URL') || name.endsWith('_ISSUER'));
    const called = names.filter((name) => name !== 'SMTP_URL');
    expect(called.length).toBeGreaterThan(13);
    for (const credentials of ['user:password', 'user', ':password']) {
      const url = `https://${credentials}@provider.test/`;
      expect(issuesOf(Object.fromEntries(called.map((name) => [name, url])))).toEqual(called);
    }
  });

  test('requires the secrets in production', () => {
    expect(issuesOf({ NODE_ENV: 'production' })).toEqual([
      'MONGODB_URI',
      'INTERNAL_API_KEY',
      'ENCRYPTION_KEY',
      'API_KEY_PEPPER',
    ]);
  });

  test('wants a long internal key in production', () => {
    const secrets = {
      MONGODB_URI: 'mongodb://db.test',
      ENCRYPTION_KEY: 'ab'.repeat(32),
      API_KEY_PEPPER: 'bc'.repeat(16),
    };
    expect(issuesOf({ NODE_ENV: 'production', ...secrets, INTERNAL_API_KEY: 'short' })).toEqual([
      'INTERNAL_API_KEY',
    ]);
    expect(issuesOf({ NODE_ENV: 'development', ...secrets, INTERNAL_API_KEY: 'short' })).toEqual([]);
  });

  test('rejects the embedded store in production, unless it is allowed', () => {
    const env = { NODE_ENV: 'production', ...SECRETS };
    expect(issuesOf(env)).toEqual(['MONGODB_URI']);
    expect(issuesOf({ ...env, EMBEDDED_STORE: 'allow' })).toEqual([]);
    expect(issuesOf({ ...env, EMBEDDED_STORE: 'yes' })).toEqual(['EMBEDDED_STORE', 'MONGODB_URI']);
    expect(issuesOf({ ...env, ROLE: 'worker' })).toEqual(['MONGODB_URI']);
  });

  test.each(Object.keys(SETTINGS).filter((name) => isKey(name)))(
    'rejects a %s of one character in production alone',
    (name) => {
      const env = { ...SECRETS, MONGODB_URI: 'mongodb://db.test' };
      for (const character of ['0', 'a']) {
        const repeated = { ...env, [name]: character.repeat(64) };
        expect(issuesOf({ ...repeated, NODE_ENV: 'production' })).toEqual([name]);
        expect(issuesOf(repeated)).toEqual([]);
      }
      expect(issuesOf({ ...env, [name]: 'aA'.repeat(32), NODE_ENV: 'production' })).toEqual([name]);
    },
  );

  test('takes a former key of one character, so that data can be moved to a better one', () => {
    const env = { ...SECRETS, MONGODB_URI: 'mongodb://db.test', NODE_ENV: 'production' };
    expect(issuesOf({ ...env, ENCRYPTION_KEY_PREVIOUS: '0'.repeat(64) })).toEqual([]);
    expect(issuesOf({ ...env, INTERNAL_TOKEN_KEY_PREVIOUS: '0'.repeat(64) })).toEqual([]);
  });

  test('requires the database of a role of its own, and the subgraphs of a gateway', () => {
    expect(issuesOf({ ROLE: 'worker' })).toEqual(['MONGODB_URI']);
    const url = 'http://127.0.0.1:4001/graphql';
    expect(issuesOf({ ROLE: 'gateway', MONGODB_URI: 'mongodb://db.test', SUBGRAPH_USERS_URL: url })).toEqual([
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
    ])('is required in production for those that talk to each other: %s', (ROLE, issues) => {
      const production = { NODE_ENV: 'production', ROLE, ...split };
      expect(issuesOf(production)).toEqual(issues);
      expect(issuesOf({ ...production, INTERNAL_TOKEN_KEY: 'ak'.repeat(16) })).toEqual([]);
    });

    test.each(['INTERNAL_API_KEY', 'ENCRYPTION_KEY', 'API_KEY_PEPPER'])(
      'is none of the others: %s',
      (name) => {
        const value = 'ABCDEF0123456789'.repeat(4);
        const same = { ...secrets, [name]: value.toLowerCase(), INTERNAL_TOKEN_KEY: value };
        expect(issuesOf(same)).toEqual(['INTERNAL_TOKEN_KEY']);
      },
    );

    test('is the same elsewhere for roles that were given the same pepper, and no directory in common', () => {
      const gateway = loadConfig({ DATA_DIR: dataDir, ROLE: 'gateway', ...split });
      const users = loadConfig({ DATA_DIR: join(dataDir, 'other'), ROLE: 'subgraph-users', ...split });
      expect(gateway.INTERNAL_TOKEN_KEY).toMatch(/^[\w-]{43}$/);
      expect(users.INTERNAL_TOKEN_KEY).toBe(gateway.INTERNAL_TOKEN_KEY);
      const other = { ...split, API_KEY_PEPPER: 'another-pepper-0123456789-abcdefgh' };
      const { INTERNAL_TOKEN_KEY: key } = loadConfig({ DATA_DIR: dataDir, ROLE: 'gateway', ...other });
      expect(key).not.toBe(gateway.INTERNAL_TOKEN_KEY);
    });

    test('is generated once elsewhere, for those that need it', () => {
      const { API_KEY_PEPPER: _, ...bare } = split;
      const { INTERNAL_TOKEN_KEY: key } = loadConfig({ DATA_DIR: dataDir, ROLE: 'gateway', ...bare });
      expect(key).toMatch(/^[\w-]{43}$/);
      const users = loadConfig({ DATA_DIR: dataDir, ROLE: 'subgraph-users', ...bare });
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

  test('shows of every URL neither user information nor path nor query, and where it leads', () => {
    const url = 'https://provider.test/hunter2?token=hunter2';
    const named = Object.keys(SETTINGS).filter((name) => /_UR[LI]$/.test(name));
    const names = named.filter((name) => !['MONGODB_URI', 'SMTP_URL'].includes(name));
    expect(names.length).toBeGreaterThan(8);
    const env = Object.fromEntries(names.map((name) => [name, url]));
    const uri = 'mongodb://user:hunter2@a.test,b.test/x?authMechanismProperties=hunter2';
    const mail = { SMTP_URL: 'smtps://user:hunter2@mail.test', MAIL_FROM: 'noreply@api.test' };
    const shown = summarize(loadConfig({ DATA_DIR: dataDir, MONGODB_URI: uri, ...mail, ...env }));
    expect(JSON.stringify(shown)).not.toContain('hunter2');
    expect(names.map((name) => shown[name])).toEqual(names.map(() => 'https://provider.test/***?***'));
    expect(shown.MONGODB_URI).toBe('mongodb://***@a.test,b.test/x');
  });

  test('lists the settings that are set, and those that are not', () => {
    const before = summarize(loadConfig({ DATA_DIR: dataDir }));
    expect(before).toMatchObject({
      MONGODB_URI: '[unset]',
      ENCRYPTION_KEY: '[set]',
      ENCRYPTION_KEY_PREVIOUS: '[unset]',
    });
    const rotating = loadConfig({ DATA_DIR: dataDir, ENCRYPTION_KEY_PREVIOUS: 'ab'.repeat(32) });
    expect(summarize(rotating)).toMatchObject({ ENCRYPTION_KEY_PREVIOUS: '[set]' });
  });
});
