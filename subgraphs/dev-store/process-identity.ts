import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasCode } from '../kernel/errors/thrown.ts';
import { fieldOf } from '../kernel/objects.ts';

/** A process; it differs from a later process with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system gives it: opaque, without spaces, equal only for the same process. */
  readonly startedAt: string;
}

interface RunningProcess extends ProcessIdentity {
  /** Its command line, arguments joined by spaces. */
  readonly command: string;
}

/** Looks up the process that has the number `pid` now; `undefined` when there is none, or only its remains. */
export function findProcess(pid: number): RunningProcess | undefined {
  return process.platform === 'linux' ? readProc(pid) : askPs(pid);
}

export function isRunning(identity: ProcessIdentity): boolean {
  return findProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  const own = findProcess(process.pid);
  if (own === undefined) {
    throw new Error(`the process table does not show this process (${process.pid})`);
  }
  return { pid: own.pid, startedAt: own.startedAt };
}

function readProc(pid: number): RunningProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, parentheses included: fields are counted behind the last one.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Start times count from the boot, so the boot is part of them. Field 22 of proc(5); state is field 3.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return state === 'Z' || state === 'X' ? undefined : { pid, startedAt: `${boot}.${fields[18]}`, command };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) {
      return undefined;
    }
    throw error;
  }
}

function askPs(pid: number): RunningProcess | undefined {
  try {
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' }, stdio: 'pipe' } as const;
    const line = execFileSync(
      'ps',
      ['-ww', '-o', 'stat=', '-o', 'lstart=', '-o', 'command=', '-p', `${pid}`],
      options,
    );
    const [state = '', ...words] = line.trim().split(/\s+/);
    const startedAt = words.slice(0, 5).join('-');
    return state.startsWith('Z') ? undefined : { pid, startedAt, command: words.slice(5).join(' ') };
  } catch (error) {
    // ps shows only by its exit status that there is no such process.
    if (fieldOf(error, 'status') === 1) {
      return undefined;
    }
    throw error;
  }
}
