import { join } from 'node:path';
import { beforeAll, describe, test } from '@jest/globals';
import { revokeSeededKey } from '../support/deployment.ts';
import { exchangeWith, injectInto } from '../support/http.ts';
import { type Scene, useScene } from '../support/scene.ts';
import type { Arrangement } from '../support/server.ts';
import { buildTestApp } from '../support/test-app.ts';
import { readCases } from './fixture.ts';
import { runCase, type Target } from './run-case.ts';

/**
 * Split over processes the product runs the same code behind the same gateway: one case of some in each file,
 * `CONTRACT_SPLIT_EVERY=1` for all of them.
 */
const SPLIT_EVERY = Number(process.env.CONTRACT_SPLIT_EVERY ?? 10);
type Way = readonly [name: string, every: number, serve: (scene: Scene) => Promise<Target>];
const OVER_HTTP: readonly Way[] = [
  ['Arrangement all', 1, (scene) => serve(scene, 'all')],
  ['Arrangement split', SPLIT_EVERY, (scene) => serve(scene, 'split')],
];
const IN_PROCESS: Way = ['In process', 1, build];
/** So that a fault that a phase of document 1 does not get over is one after a second, not after twelve minutes. */
const env = { PIPELINE_RETRY_SECONDS: '1', PIPELINE_SWEEP_SECONDS: '1' };

/**
 * Describes the cases below a folder of this one, each against the real server in its arrangements, and where it is told
 * so against the application in the test's own process, too: the same bytes without a socket between.
 */
export function describeSurface(folder: string, { inProcess = false } = {}): void {
  const cases = readCases(join(import.meta.dirname, folder));
  const files = [...new Set(cases.map(({ file }) => file))];

  describe.each(inProcess ? [IN_PROCESS, ...OVER_HTTP] : OVER_HTTP)('%s', (_name, every, make) => {
    const scene = useScene();
    let target: Target;
    beforeAll(async () => {
      target = await make(scene);
    });

    describe.each(files)('%s', (file) => {
      const own = cases.filter((one) => one.file === file).filter((_one, index) => index % every === 0);
      test.each(own.map((one) => [one.title, one] as const))('%s', (_title, one) => runCase(target, one));
    });
  });
}

async function serve(scene: Scene, arrangement: Arrangement): Promise<Target> {
  const deployment = await scene.deploy({ arrangement, env });
  const { url } = await deployment.start();
  await revokeSeededKey(await deployment.database());
  return { exchange: exchangeWith(url), receiver: deployment.receiver };
}

async function build(scene: Scene): Promise<Target> {
  const deployment = await scene.deploy({ env });
  const { app, connection, close } = await buildTestApp(deployment.env);
  scene.atEnd(close);
  await revokeSeededKey(connection);
  return { exchange: injectInto(app), receiver: deployment.receiver };
}
