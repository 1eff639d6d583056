import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLog } from '../kernel/database/open-database.ts';
import { hasCode } from '../kernel/errors/thrown.ts';
import { makePrivateDirectory } from '../kernel/private-directory.ts';
import { findProcess } from './process-identity.ts';
import { run } from './run.ts';
import { findOnPath } from './which.ts';

/** A pinned program from the Python package index, and the oldest Python 3 that it runs on. */
export interface PythonProgram {
  readonly distribution: string;
  readonly version: string;
  readonly script: string;
  readonly minPythonMinor: number;
}

interface VenvOptions {
  /** Directory of all environments; each has one of its own in it. */
  readonly venvs: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: DatabaseLog;
}

/** The program ready to be run as `python script …`, or why this machine cannot have it. */
type InstalledProgram =
  | { readonly status: 'installed'; readonly python: string; readonly script: string }
  | { readonly status: 'unavailable'; readonly reason: string };

const PYTHONS = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const PROBE_TIMEOUT_MS = 10_000;
const VENV_TIMEOUT_MS = 60_000;
const PIP_TIMEOUT_MS = 300_000;
/** Matches `<name>.<pid>.draft`. */
const DRAFT = /\.(\d+)\.draft$/;

/**
 * Finds the program's virtual environment, or makes it: about 10 s and 150 MB, once.
 *
 * It is built under a draft's name and renamed when it is complete, so an environment that is there is whole: what an
 * interrupted installation leaves is a draft, and several processes may share one `venvs`. Its scripts name the
 * draft as their interpreter, hence `python script`.
 */
export async function installPythonProgram(
  program: PythonProgram,
  options: VenvOptions,
): Promise<InstalledProgram> {
  const base = await findPython(program, options.env);
  if (base === undefined) {
    return {
      status: 'unavailable',
      reason: `there is no Python 3.${program.minPythonMinor} or newer on PATH`,
    };
  }
  const name = `${program.distribution.toLowerCase()}-${program.version}-py${base.version}`;
  const home = join(options.venvs, name);
  const python = join(home, 'bin', 'python');
  const script = join(home, 'bin', program.script);
  // The interpreter is a link: it breaks when the Python that made it is removed.
  if (existsSync(python) && existsSync(script)) {
    return { status: 'installed', python, script };
  }
  rmSync(home, { recursive: true, force: true });
  makePrivateDirectory(options.venvs);
  removeDeadDrafts(options.venvs);
  options.log.info({ directory: home }, `installing ${requirement(program)} once; this takes a while`);
  const draft = `${home}.${process.pid}.draft`;
  const failure = await build(draft, base.path, program, options.env);
  if (failure !== undefined) {
    rmSync(draft, { recursive: true, force: true });
    return { status: 'unavailable', reason: failure };
  }
  publish(draft, home);
  return { status: 'installed', python, script };
}

async function findPython(
  program: PythonProgram,
  env: NodeJS.ProcessEnv,
): Promise<{ path: string; version: string } | undefined> {
  for (const name of PYTHONS) {
    const path = findOnPath(name, env);
    if (path === undefined) {
      continue;
    }
    const code = 'import sys; print("%d.%d" % sys.version_info[:2])';
    const outcome = await run(path, ['-c', code], { env, timeoutMs: PROBE_TIMEOUT_MS });
    const [, version, minor] = /^(3\.(\d+))\s*$/.exec(outcome.ok ? outcome.stdout : '') ?? [];
    if (version !== undefined && Number(minor) >= program.minPythonMinor) {
      return { path, version };
    }
  }
  return undefined;
}

/** Builds a complete environment at `draft`; says what failed, if anything did. */
async function build(
  draft: string,
  basePython: string,
  program: PythonProgram,
  inherited: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const { PYTHONPATH: _path, PYTHONHOME: _home, PYTHONDONTWRITEBYTECODE: _compile, ...rest } = inherited;
  const env = { ...rest, PIP_USER: '0', PIP_NO_INPUT: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  rmSync(draft, { recursive: true, force: true });
  const made = await run(basePython, ['-m', 'venv', draft], { env, timeoutMs: VENV_TIMEOUT_MS });
  if (!made.ok) {
    return `${basePython} -m venv failed (on Debian and Ubuntu: apt install python3-venv): ${made.reason}`;
  }
  const python = join(draft, 'bin', 'python');
  const pip = await run(
    python,
    [
      ...['-m', 'pip', 'install', '--no-compile', '--only-binary', program.distribution],
      ...['--retries', '1', '--timeout', '20'],
      requirement(program),
    ],
    { env, timeoutMs: PIP_TIMEOUT_MS },
  );
  if (!pip.ok) {
    return `pip install ${requirement(program)} failed: ${pip.reason}`;
  }
  // It also leaves what it loads compiled: each start would compile it again.
  const works = await run(python, [join(draft, 'bin', program.script), '--help'], {
    env,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  return works.ok ? undefined : `${requirement(program)} is installed but does not run: ${works.reason}`;
}

function publish(draft: string, home: string): void {
  try {
    renameSync(draft, home);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) {
      throw error;
    }
    // Another process was first; its environment is as good.
    rmSync(draft, { recursive: true, force: true });
  }
}

function removeDeadDrafts(venvs: string): void {
  for (const name of readdirSync(venvs)) {
    const pid = DRAFT.exec(name)?.[1];
    if (pid !== undefined && findProcess(Number(pid)) === undefined) {
      rmSync(join(venvs, name), { recursive: true, force: true });
    }
  }
}

function requirement(program: PythonProgram): string {
  return `${program.distribution}==${program.version}`;
}
