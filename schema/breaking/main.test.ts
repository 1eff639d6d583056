/** @only-in-full */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const PARTNER = 'schema/openapi/partner.json';
let root: string;

/** A repository with the files that are compared, and the compiled program. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'remitgraph-breaking-'));
  const descriptions = ['schema/api.graphql', 'schema/openapi', 'schema/asyncapi.json'];
  const copied = ['package.json', ...descriptions, 'schema/deprecations.json'];
  const compiled = [
    'dist/schema/breaking',
    'dist/schema/deprecations.js',
    'dist/subgraphs/kernel/project-root.js',
  ];
  for (const path of [...copied, ...compiled]) {
    cpSync(path, join(root, path), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  git('init', '--quiet');
  git('add', ...copied);
  git('-c', 'user.name=t', '-c', 'user.email=t@t.test', 'commit', '--quiet', '--message', 'A release');
});
afterAll(() => rmSync(root, { recursive: true }));

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });

function check() {
  const { status, stdout } = spawnSync(process.execPath, ['dist/schema/breaking/main.js'], {
    cwd: root,
    encoding: 'utf8',
  });
  return [status, stdout];
}

test('the newest release is compared with the current files', () => {
  expect(check()).toEqual([0, 'Nothing was released yet: there is no tag such as v1.2.3.\n']);
  for (const tag of ['v0.0.9', 'v0.0.10', 'w9', 'v25', 'v1.0.0-rc.1']) {
    git('tag', tag);
  }
  const { version: _version, ...others } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...others, version: '0.0.11' }));
  expect(check()).toEqual([0, 'Nothing breaks clients of v0.0.10.\n']);
  const text = readFileSync(join(root, PARTNER), 'utf8');
  writeFileSync(join(root, PARTNER), text.replace('"/partner/me"', '"/partner/myself"'));
  expect(check()).toEqual([
    1,
    expect.stringMatching(/^schema\/openapi\/partner\.json, since v0\.0\.10: GET \/partner\/me: is gone\n/),
  ]);
});

test('a field that is deprecated without dates is reported, and one that is gone before its sunset', () => {
  const path = join(root, 'schema/api.graphql');
  const sdl = readFileSync(path, 'utf8');
  writeFileSync(path, sdl.replace(/^ {2}latestEventCursor: String!/m, '$& @deprecated(reason: "x")'));
  expect(check()).toEqual([
    1,
    expect.stringMatching(
      /^schema\/deprecations\.json: Query\.latestEventCursor is deprecated, but has no dates\n/,
    ),
  ]);
  const [name, page] = ['Query.latestEventCursor', '/docs/upgrade'];
  const dates = [{ name, deprecatedAt: '2026-12-01', sunsetAt: '9999-12-31', page }];
  writeFileSync(join(root, 'schema/deprecations.json'), JSON.stringify(dates));
  expect(check()).toEqual([1, expect.not.stringContaining('deprecations.json')]);
  git('add', '--all');
  git('-c', 'user.name=t', '-c', 'user.email=t@t.test', 'commit', '--quiet', '--message', 'A deprecation');
  git('tag', 'v0.0.12');
  writeFileSync(path, sdl.replace(/^ {2}latestEventCursor: String!/m, '  other: String!'));
  writeFileSync(join(root, 'schema/deprecations.json'), '[]');
  expect(check()).toEqual([
    1,
    expect.stringMatching(
      /^schema\/deprecations\.json: Query\.latestEventCursor is gone before its sunset on 9999-12-31\n/,
    ),
  ]);
});

test('a copy without history reports that it has nothing to compare with', () => {
  renameSync(join(root, '.git'), join(root, 'history'));
  try {
    expect(check()).toEqual([0, expect.stringMatching(/^Nothing to compare with: .*not a git repository/)]);
  } finally {
    renameSync(join(root, 'history'), join(root, '.git'));
  }
});
