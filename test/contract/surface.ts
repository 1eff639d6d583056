import { resolve } from 'node:path';
import { beforeAll, describe, test } from '@jest/globals';
import { type DeploymentOptions, revokeSeededKey } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { type Case, readCases } from './fixture.ts';
import { runCase, type Target } from './run-case.ts';

/**
 * A split product runs the same code behind the same gateway: one case of some in each file,
 * `CONTRACT_SPLIT_EVERY=1` for all of them.
 */
const SPLIT_EVERY = Number(process.env.CONTRACT_SPLIT_EVERY ?? 10);
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
 * Describes the cases below a folder of this one, each against the real server in its arrangements.
 * @param options of the deployments
 */
export function describeSurface(folder: string, options: DeploymentOptions = {}): void {
  const files = Object.values(groupByFile(readCases(resolve('test/contract', folder))));
  const cases = files.flat();

  describe('Arrangement all', () => {
    // One after the other: sweeps and change streams of the first would go on beside the second.
    describe('that sends webhooks', () => {
      describeCases({ ...options, env: SENDS }, cases.filter(awaitsWebhooks));
    });
    describe('that stores them', () => {
      describeCases(
        { ...options, env: SENDS_NONE },
        cases.filter((one) => !awaitsWebhooks(one)),
      );
    });
  });

  describe('Arrangement split', () => {
    // It costs more to start than a tenth of the cases.
    const some = files.flatMap((file) => file.filter((_one, index) => index % SPLIT_EVERY === 0));
    describeCases({ ...options, arrangement: 'split', env: SENDS }, some);
  });
}

/** Runs cases against one deployment, which ends with the last of them. */
function describeCases(options: DeploymentOptions, cases: readonly Case[]): void {
  const scene = useScene();
  let target: Target;
  beforeAll(async () => {
    const deployment = await scene.deploy(options);
    const { url } = await deployment.start();
    await revokeSeededKey(await deployment.database());
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
