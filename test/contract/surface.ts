import { resolve } from 'node:path';
import { beforeAll, describe, test } from '@jest/globals';
import { revokeSeededKey } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import { type Scene, useScene } from '../support/scene.ts';
import { ARRANGEMENTS, type Arrangement } from '../support/server.ts';
import { type Case, readCases } from './fixture.ts';
import { runCase, type Target } from './run-case.ts';

/**
 * A split product runs the same code behind the same gateway: one case of some in each file,
 * `CONTRACT_SPLIT_EVERY=1` for all of them.
 */
const EVERY: Readonly<Record<Arrangement, number>> = {
  all: 1,
  split: Number(process.env.CONTRACT_SPLIT_EVERY ?? 10),
};
/** So that a phase of document 1 fails after seconds, not after twelve minutes of retries. */
const RETRIES = { PIPELINE_RETRY_SECONDS: '0', PIPELINE_SWEEP_SECONDS: '1' };
/** Stores webhooks and sends none: to send what no case waits for is more than half of the work for the store. */
const SENDS_NONE = {
  WEBHOOK_NUDGE: 'false',
  WEBHOOK_SWEEP_SECONDS: '3600',
  PIPELINE_SWEEP_SECONDS: '3600',
};

/** Describes the cases below a folder of this one, each against the real server in its arrangements. */
export function describeSurface(folder: string): void {
  const cases = readCases(resolve('test/contract', folder));
  const files = [...new Set(cases.map(({ file }) => file))];

  describe.each(ARRANGEMENTS)('Arrangement %s', (arrangement) => {
    const scene = useScene();
    let targets: Targets;
    beforeAll(async () => {
      targets = await serve(scene, arrangement);
    });

    describe.each(files)('%s', (file) => {
      const own = cases
        .filter((one) => one.file === file)
        .filter((_one, index) => index % EVERY[arrangement] === 0);
      test.each(own.map((one) => [one.title, one] as const))('%s', (_title, one) =>
        runCase(awaitsWebhooks(one) ? targets.sending : targets.quiet, one),
      );
    });
  });
}

/** Where cases are run that await webhooks, and where the others are. */
interface Targets {
  readonly sending: Target;
  readonly quiet: Target;
}

async function serve(scene: Scene, arrangement: Arrangement): Promise<Targets> {
  const start = async (env: Readonly<Record<string, string>>): Promise<Target> => {
    const deployment = await scene.deploy({ arrangement, env });
    const { url } = await deployment.start();
    await revokeSeededKey(await deployment.database());
    return { exchange: exchangeWith(url), receiver: deployment.receiver };
  };
  const sending = await start(RETRIES);
  // A split product costs more to start than a tenth of the cases.
  return { sending, quiet: arrangement === 'all' ? await start({ ...RETRIES, ...SENDS_NONE }) : sending };
}

function awaitsWebhooks({ steps }: Case): boolean {
  return steps.some(({ webhooks }) => webhooks.length > 0);
}
