import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readStages } from './dockerfile.ts';

const stages = readStages();
const only = (keyword: string) =>
  (stages.at(-1)?.instructions ?? []).filter((one) => one.keyword === keyword).map(({ text }) => text);

describe('The image', () => {
  test('runs as a user without rights, and node itself gets the stop signal', () => {
    const [user = '', ...others] = only('USER');
    // By number: Kubernetes cannot see from a name whether it is root's.
    expect([/^[1-9]\d*:[1-9]\d*$/.test(user), others]).toEqual([true, []]);
    expect(readFileSync('deploy/kubernetes/base/gateway.yaml', 'utf8')).toContain(
      `runAsUser: ${user.split(':')[0]},`,
    );
    expect(JSON.parse(only('ENTRYPOINT')[0] ?? '')).toEqual(['node', 'gateway/cli/remitgraph.mjs']);
    expect(JSON.parse(only('CMD')[0] ?? '')).toEqual(['start']);
    expect(existsSync('gateway/cli/remitgraph.mjs')).toBe(true);
  });

  test('has only what the build stage made of the package and its dependencies', () => {
    expect(only('COPY')).toEqual(['/app ./']);
  });

  test('has no package manager', () => {
    const removed = only('RUN').flatMap((text) => text.split(/\s+/));
    expect(removed).toEqual(
      expect.arrayContaining(['rm', '/usr/local/lib/node_modules', '/usr/local/bin/npm', '/opt/yarn-*']),
    );
  });

  test('is built on the Node that runs it, and that the package allows', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    const majors = stages.map(({ image }) => Number(/^node:(\d+)-/.exec(image)?.[1]));
    expect(new Set(majors).size).toBe(1);
    expect(majors[0]).toBeGreaterThanOrEqual(Number(/^>=(\d+)/.exec(engines.node)?.[1]));
  });

  test('asks a path of health that the server has', () => {
    const [check = ''] = only('HEALTHCHECK');
    expect(readFileSync('gateway/http/health.ts', 'utf8')).toContain(`'${/\/health\/\w+/.exec(check)?.[0]}'`);
  });

  test('does not get the files that a clone keeps to itself', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining([
        ...['.git', '.env', '.env.live', '.env.sandbox', '*.secrets', '.data', 'node_modules', 'dist'],
      ]),
    );
  });
});
