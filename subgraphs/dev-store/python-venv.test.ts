import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { installPythonProgram } from './python-venv.ts';
import { memoryLog, temporaryDirectory, writeProgram } from './testing/script-process.ts';

const PROGRAM = { distribution: 'Prog', version: '1.2', script: 'prog', minPythonMinor: 10 };

let directory: ReturnType<typeof temporaryDirectory>;
let venvs: string;
const log = memoryLog().log;

beforeEach(() => {
  directory = temporaryDirectory();
  venvs = join(directory.path, 'venvs');
  mkdirSync(join(directory.path, 'bin'));
});

afterEach(() => directory.remove());

/** A stand-in for Python: answers its version, makes environments, and in them runs pip and scripts. */
function installPython(name: string, version: string, issues: { venv?: string; pip?: string } = {}): void {
  const inVenv = `
case "$1" in
  -m) ${issues.pip === undefined ? 'touch "$(dirname "$0")/prog"' : `echo "${issues.pip}" >&2; exit 1`} ;;
  *) test -e "$1" && test -z "$PYTHONDONTWRITEBYTECODE" && touch "$1.compiled" ;;
esac`;
  writeProgram(
    join(directory.path, 'bin', name),
    `
case "$1 $2" in
  -c*) echo ${version} ;;
  '-m venv')
    ${issues.venv === undefined ? '' : `echo "${issues.venv}" >&2; exit 1`}
    mkdir -p "$3/bin"
    cat > "$3/bin/python" <<'VENV'
#!/bin/sh
${inVenv}
VENV
    chmod +x "$3/bin/python" ;;
esac`,
  );
}

function install() {
  const PATH = `${join(directory.path, 'bin')}:/usr/bin-without-python:/bin`;
  const env = { ...process.env, PATH, PYTHONDONTWRITEBYTECODE: '1' };
  return installPythonProgram(PROGRAM, { venvs, env: { ...env, PATH: pathWithoutPython(env.PATH) }, log });
}

/** The fake Python's directory, and one with the few shell tools that it uses. */
function pathWithoutPython(path: string): string {
  return path.replace('/usr/bin-without-python:/bin', toolDirectory());
}

function toolDirectory(): string {
  const tools = join(directory.path, 'tools');
  mkdirSync(tools, { recursive: true });
  for (const tool of ['cat', 'mkdir', 'chmod', 'touch', 'dirname']) {
    writeProgram(join(tools, tool), `exec /usr/bin/env -i PATH=/usr/bin:/bin ${tool} "$@"`);
  }
  return tools;
}

test('installs once', async () => {
  installPython('python3', '3.11');
  const home = join(venvs, 'prog-1.2-py3.11', 'bin');
  const expected = { status: 'installed', python: join(home, 'python'), script: join(home, 'prog') };
  await expect(install()).resolves.toEqual(expected);
  installPython('python3', '3.11', { venv: 'must not be called again' });
  await expect(install()).resolves.toEqual(expected);
});

test('compiles the modules that a start loads, even when Python is configured to keep nothing', async () => {
  installPython('python3', '3.11');
  await install();
  expect(existsSync(join(venvs, 'prog-1.2-py3.11', 'bin', 'prog.compiled'))).toBe(true);
});

test('takes a newer Python by its own name when python3 is too old', async () => {
  installPython('python3', '3.9');
  installPython('python3.12', '3.12');
  await expect(install()).resolves.toMatchObject({ status: 'installed' });
  expect(readdirSync(venvs)).toEqual(['prog-1.2-py3.12']);
});

test('an interrupted installation is built anew', async () => {
  installPython('python3', '3.11');
  const home = join(venvs, 'prog-1.2-py3.11');
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'prog'), '');
  mkdirSync(join(venvs, 'prog-1.2-py3.11.4194303.draft', 'bin'), { recursive: true });
  mkdirSync(join(venvs, `prog-1.2-py3.11.${process.ppid}.draft`));
  await expect(install()).resolves.toMatchObject({ status: 'installed' });
  expect(existsSync(join(home, 'bin', 'python'))).toBe(true);
  expect(readdirSync(venvs)).toEqual(['prog-1.2-py3.11', `prog-1.2-py3.11.${process.ppid}.draft`]);
});

test.each([
  ['no Python', () => undefined, /there is no Python 3\.10 or newer on PATH/],
  ['an old Python', () => installPython('python3', '3.9'), /there is no Python 3\.10/],
  [
    'no venv',
    () => installPython('python3', '3.11', { venv: 'No module named venv' }),
    /-m venv failed \(on Debian and Ubuntu: apt install python3-venv\): No module named venv/,
  ],
  [
    'no package index',
    () => installPython('python3', '3.11', { pip: 'No matching distribution' }),
    /pip install Prog==1\.2 failed: No matching distribution/,
  ],
])('%s is a reason, and leaves nothing behind', async (_case, arrange, reason) => {
  arrange();
  await expect(install()).resolves.toEqual({
    status: 'unavailable',
    reason: expect.stringMatching(reason),
  });
  expect(existsSync(venvs) ? readdirSync(venvs) : []).toEqual([]);
});
