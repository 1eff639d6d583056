import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../subgraphs/platform/project-root.ts';
import { checkBreaking } from './check.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const present = (path: string) => readFileSync(join(projectRoot(), path), 'utf8');

/** `npm run check:breaking`: fails when clients of the last release could trip over what has changed since. */
function main(): number {
  const [tag] = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n').filter(Boolean);
  const { lines, isWell } = checkBreaking({
    version: String(JSON.parse(present('package.json')).version),
    tag,
    present,
    released: (path) =>
      git('ls-tree', '--name-only', `${tag}`, path) === '' ? undefined : git('show', `${tag}:${path}`),
  });
  process.stdout.write(`${lines.join('\n')}\n`);
  return isWell ? 0 : 1;
}

/** @throws with what git says */
function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: projectRoot(),
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  if (status !== 0) {
    throw new Error(`git ${args.join(' ')}: ${stderr}`);
  }
  return stdout;
}

process.exitCode = main();
