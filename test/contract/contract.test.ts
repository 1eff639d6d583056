import { beforeAll, describe, expect, test } from '@jest/globals';
import { revokeSeededKey } from '../support/deployment.ts';
import { exchangeWith, injectInto } from '../support/http.ts';
import { type Scene, useScene } from '../support/scene.ts';
import type { Arrangement } from '../support/server.ts';
import { buildTestApp } from '../support/test-app.ts';
import { readCases, readText } from './fixture.ts';
import { runCase, type Target } from './run-case.ts';

const cases = readCases(import.meta.dirname);
const files = [...new Set(cases.map(({ file }) => file))];

/**
 * The same cases against the application in this process and against the real server. Split over processes the product
 * runs the same code behind the same gateway: one case of some in each file, `CONTRACT_SPLIT_EVERY=1` for all of them.
 */
const SPLIT_EVERY = Number(process.env.CONTRACT_SPLIT_EVERY ?? 5);
const TARGETS: readonly [name: string, every: number, make: (scene: Scene) => Promise<Target>][] = [
  ['in process', 1, inProcess],
  ['over HTTP, arrangement all', 1, (scene) => overHttp(scene, 'all')],
  ['over HTTP, arrangement split', SPLIT_EVERY, (scene) => overHttp(scene, 'split')],
];

describe.each(TARGETS)('The contract, %s', (_name, every, make) => {
  const scene = useScene();
  let target: Target;
  beforeAll(async () => {
    target = await make(scene);
  }, 120_000);

  describe.each(files)('%s', (file) => {
    const own = cases.filter((one) => one.file === file).filter((_one, index) => index % every === 0);
    test.each(own.map((one) => [one.title, one] as const))('%s', (_title, one) => runCase(target, one));
  });
});

/** So that a fault that a phase of document 1 does not get over is one after a second, not after twelve minutes. */
const env = { PIPELINE_RETRY_SECONDS: '1', PIPELINE_SWEEP_SECONDS: '1' };

async function inProcess(scene: Scene): Promise<Target> {
  const deployment = await scene.deploy({ env });
  const { app, connection, close } = await buildTestApp(deployment.env);
  scene.atEnd(close);
  await revokeSeededKey(connection);
  return { exchange: injectInto(app), receiver: deployment.receiver };
}

async function overHttp(scene: Scene, arrangement: Arrangement): Promise<Target> {
  const deployment = await scene.deploy({ arrangement, env });
  const { url } = await deployment.start();
  await revokeSeededKey(await deployment.database());
  return { exchange: exchangeWith(url), receiver: deployment.receiver };
}

describe('The runner', () => {
  const [example] = readText('### A case\n> GET /x\n> A: b\n\n< 200\n{"a":1}\n', 'example');
  const answering = (text: string, headers: Record<string, string> = {}): Target => ({
    exchange: async () => ({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'r',
        'content-length': String(text.length),
        ...headers,
      },
      body: Buffer.from(text),
      text,
    }),
    receiver: { webhooks: [] } as never,
  });

  test('accepts what the fixture says', async () => {
    await expect(runCase(answering('{"a":1}'), example!)).resolves.toBeUndefined();
  });

  test('makes a call as often as it is told, and looks at each answer', async () => {
    const [often] = readText(
      '### A case\n> GET /x *3\n\n< 200\n< retry-after: <seconds>\n{"a":1}\n',
      'often',
    );
    expect(often!.steps).toHaveLength(3);
    const target = (after: string) => answering('{"a":1}', { 'retry-after': after });
    await expect(runCase(target('59'), often!)).resolves.toBeUndefined();
    await expect(runCase(target('61'), often!)).rejects.toThrow('retry-after is "61"');
  });

  test.each([
    ['another body', answering('{"a":2}'), 'Call 1, GET /x: The text differs from character 5'],
    [
      'a charset',
      answering('{"a":1}', { 'content-type': 'application/json; charset=utf-8' }),
      'content-type is',
    ],
    ['no request id', answering('{"a":1}', { 'x-request-id': '' }), 'there is no x-request-id'],
    ['a wrong length', answering('{"a":1}', { 'content-length': '8' }), 'content-length is 8, not 7'],
  ])('refuses %s', async (_name, target, fault) => {
    await expect(runCase(target, example!)).rejects.toThrow(fault);
  });

  test.each([
    ['a body without a case', '{"a":1}', 'x.http:1'],
    ['a response without a request', '### A\n< 200', 'x.http:2'],
    ['a call made some times', '### A\n> GET /x *some', 'x.http:2'],
    ['a second response', '### A\n> GET /x\n< 200\n{}\n< 201', 'x.http:5'],
    ['a header without a colon', '### A\n> GET /x\n> oops', '"oops" is no header'],
  ])('cannot read %s', (_name, text, fault) => {
    expect(() => readText(text, 'x')).toThrow(fault);
  });
});
