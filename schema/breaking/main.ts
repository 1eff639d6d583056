import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../subgraphs/kernel/project-root.ts';
import { checkBreaking } from './check.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const present = (path: string) => readFileSync(join(projectRoot(), path), 'utf8');

const RELEASE = /^v\d+\.\d+\.\d+$/;

/** `npm run check:breaking`: fails if changes since the last release can break its clients. */
function main(): number {
  const repository = git('rev-parse', '--git-dir');
  if (repository.status !== 0) {
    process.stdout.write(
      `Nothing to compare with: this copy has no history (${repository.stderr.trim()}).\n`,
    );
    return 0;
  }
  const tag = read('tag', '--list', 'v*', '--sort=-version:refname')
    .split('\n')
    .find((name) => RELEASE.test(name));
  const { lines, isWell } = checkBreaking({
    version: String(JSON.parse(present('package.json')).version),
    tag,
    today: new Date().toISOString().slice(0, 10),
    present,
    released: (path) =>
      read('ls-tree', '--name-only', `${tag}`, path) === '' ? undefined : read('show', `${tag}:${path}`),
  });
  process.stdout.write(`${lines.join('\n')}\n`);
  return isWell ? 0 : 1;
}

/** @throws an error with git's message */
function read(...args: string[]): string {
  const { status, stdout, stderr } = git(...args);
  if (status !== 0) {
    throw new Error(`git ${args.join(' ')}: ${stderr}`);
  }
  return stdout;
}

function git(...args: string[]) {
  const answer = spawnSync('git', args, { cwd: projectRoot(), encoding: 'utf8', maxBuffer: MOST_BYTES });
  return { ...answer, stderr: answer.error?.message ?? answer.stderr };
}

process.exitCode = main();
