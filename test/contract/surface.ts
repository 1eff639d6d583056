import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Environment } from '../../subgraphs/kernel/account.ts';
import { type DeploymentOptions, revokeSeededKey } from '../support/deployment.ts';
import { IS_FULL } from '../support/depth.ts';
import { exchangeWith } from '../support/http.ts';
import { type ProviderServer, startProviders } from '../support/providers.ts';
import { answerAsSandbox } from '../support/sandbox-answers.ts';
import { type Scene, useScene } from '../support/scene.ts';
import { storeStatement } from '../support/statements.ts';
import { type Case, readCases } from './fixture.ts';
import { holdsWithLiveKeys, needsNoProviders, withOtherKeys } from './live-run.ts';
import { runCase, type Target } from './run-case.ts';

/**
 * A split product runs the same code behind the same gateway, and live keys run the same code on other providers: the short
 * form has every so-manieth case of each file, from its first on, with both at once.
 */
const SHORT_EVERY = 10;
/** So that a phase of document 1 fails after seconds, not after twelve minutes of retries. */
const SENDS = { PIPELINE_RETRY_SECONDS: '0', PIPELINE_SWEEP_SECONDS: '1' };
/** Stores webhooks and sends none: to send what no case waits for is more than half of the work for the store. */
const SENDS_NONE = {
  ...SENDS,
  WEBHOOK_NUDGE: 'false',
  WEBHOOK_SWEEP_SECONDS: '3600',
  PIPELINE_SWEEP_SECONDS: '3600',
};

/**
 * Describes the cases below a folder of this one, each against the real server, and some or all of them once more in a split
 * product and with live keys. No call reaches a provider of the other environment.
 * @param options of the deployments
 */
export function describeSurface(folder: string, options: DeploymentOptions = {}): void {
  const path = resolve('test/contract', folder);
  const all = readCases(path);
  const cases = all.filter((one) => !needsNoProviders(one));

  describe('Arrangement all', () => describeTwice('sandbox', options, cases));

  const alone = all.filter(needsNoProviders);
  if (alone.length > 0) {
    describe('Without providers of live calls', () => describeCases({ ...options, env: SENDS }, alone));
  }

  const live = readCases(path, withOtherKeys).filter(holdsWithLiveKeys);
  const withLiveKeys = { ...options, rewriteSeed: withOtherKeys };
  const called: ProviderServer[] = [];
  if (IS_FULL) {
    describe('Arrangement split', () =>
      describeInEnvironment('sandbox', { ...options, arrangement: 'split', env: SENDS }, cases));
    describe('With live keys', () => {
      describeTwice('live', withLiveKeys, live, called);
      describeCalled(called);
    });
  } else {
    describe('Arrangement split, with live keys', () => {
      const split = { ...withLiveKeys, arrangement: 'split', env: SENDS } as const;
      describeInEnvironment('live', split, someOf(live), called);
      describeCalled(called);
    });
  }
}

function describeCalled(called: readonly ProviderServer[]): void {
  test('the configured providers answer', () => {
    expect(called.flatMap(({ received }) => received).length).toBeGreaterThan(0);
  });
}

/** The first case of each file, and every {@link SHORT_EVERY}th after it. */
function someOf(cases: readonly Case[]): Case[] {
  return Object.values(groupByFile(cases)).flatMap((file) =>
    file.filter((_one, index) => index % SHORT_EVERY === 0),
  );
}

/** One after the other: sweeps and change streams of the first would go on beside the second. */
function describeTwice(
  environment: Environment,
  options: DeploymentOptions,
  cases: readonly Case[],
  called?: ProviderServer[],
): void {
  describe('that sends webhooks', () => {
    describeInEnvironment(environment, { ...options, env: SENDS }, cases.filter(awaitsWebhooks), called);
  });
  describe('that stores them', () => {
    const others = cases.filter((one) => !awaitsWebhooks(one));
    describeInEnvironment(environment, { ...options, env: SENDS_NONE }, others, called);
  });
}

/**
 * Runs cases whose keys are of an environment. The test providers of the other one must not receive a request.
 * @param called gets the test providers that answer live calls as the sandbox does
 */
function describeInEnvironment(
  environment: Environment,
  options: DeploymentOptions,
  cases: readonly Case[],
  called: ProviderServer[] = [],
): void {
  let idle: ProviderServer;
  const others = environment === 'live' ? 'sandbox' : 'live';
  describeCases(options, cases, async ({ atEnd }) => {
    const answering = await startProviders({ deduplicates: false, answer: answerAsSandbox() });
    idle = await startProviders({ deduplicates: false });
    called.push(answering);
    atEnd(answering.close);
    atEnd(idle.close);
    return { ...idle.envOf(others), ...(environment === 'live' && answering.envOf('live')) };
  });
  test(`no request reaches a provider of ${others} calls`, () => {
    expect(idle.received).toEqual([]);
  });
}

/**
 * Runs cases against one deployment, which ends with the last of them.
 * @param prepare starts what the server calls, and returns its settings
 */
function describeCases(
  options: DeploymentOptions,
  cases: readonly Case[],
  prepare: (scene: Scene) => Promise<Readonly<Record<string, string>>> = async () => ({}),
): void {
  const scene = useScene();
  let target: Target;
  beforeAll(async () => {
    const deployment = await scene.deploy({ ...options, env: { ...options.env, ...(await prepare(scene)) } });
    const { url } = await deployment.start();
    const database = await deployment.database();
    await revokeSeededKey(database);
    await storeStatement(database, 'acme/sandbox', '1999-12-31-USD');
    await storeStatement(database, 'acme/live', '1999-12-31-USD');
    target = { exchange: exchangeWith(url), receiver: deployment.receiver };
  });

  describe.each(Object.entries(groupByFile(cases)))('%s', (_file, own) => {
    test.each(own.map((one) => [one.title, one] as const))('%s', (_title, one) => runCase(target, one));
  });
}

function groupByFile(cases: readonly Case[]): Record<string, Case[]> {
  const files: Record<string, Case[]> = {};
  for (const one of cases) {
    files[one.file] = [...(files[one.file] ?? []), one];
  }
  return files;
}

function awaitsWebhooks({ steps }: Case): boolean {
  return steps.some(({ webhooks }) => webhooks.length > 0);
}
