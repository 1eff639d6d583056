import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/nodes.mjs', ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

test.each([
  ['a version', ['--only', '24,18'], '--only does not know "18". It takes 22, 24, 26, with commas.\n'],
  [
    'a suite',
    ['--suites', 'soak'],
    '--suites does not know "soak". It takes build, unit, contract, journey, image, with commas.\n',
  ],
])('npm run test:nodes rejects %s that it does not know', (_, args, stderr) => {
  expect(run(args)).toEqual({ status: 2, stdout: '', stderr });
});

test('npm run test:nodes fails if a Node cannot be fetched', () => {
  const unreachable = {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_prefer_online: 'true',
  };
  const { status, stdout } = run(['--only', '24', '--suites', 'build'], unreachable);
  expect(stdout).toMatch(/\nfailed node-[\w-]+@24: build, \d+ s\n$/);
  expect(status).toBe(1);
});
