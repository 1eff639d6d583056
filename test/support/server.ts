import { join } from 'node:path';
import { ROLES, type Role } from '../../subgraphs/kernel/config/roles.ts';
import { IS_FULL } from './depth.ts';
import type { Exit, ServerProcess } from './server-process.ts';

/** How the product runs: `all` roles in one server, or `split` into a server for each role, as over machines. */
export type Arrangement = 'all' | 'split';

/** For `describe.each`: what holds of the product holds in both. */
export const ARRANGEMENTS: readonly Arrangement[] = ['all', 'split'];

/**
 * The same, where one of both shows the fault as a rule: the short form has `all`. Beside the files with
 * {@link ARRANGEMENTS}, cases of each file of the contract run in `split` (`test/contract/surface.ts`).
 */
export const MOSTLY_ALL: readonly Arrangement[] = IS_FULL ? ARRANGEMENTS : ['all'];

/** The product as it was started: one server, or several that clients reach through one. */
export interface Server {
  /** Where clients reach it, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The process that clients reach. @throws unless the deployment has processes of its own, like {@link pidOf} */
  readonly pid: number;
  /** The output of its servers so far, one after the other. */
  output(): string;
  /** The exit of a server of it that is not running, or undefined while all run. */
  exit(): Exit | undefined;
  /**
   * Sends a signal to the server of one role and waits for its end; without a role to all of them, first to the one
   * that clients reach. Of several exits the first that is not clean is returned. In the process of the test there are
   * SIGTERM and SIGINT alone.
   */
  kill(signal: NodeJS.Signals, role?: Role): Promise<Exit>;
  /** Starts the server of a role that has ended again, at its old address. */
  restart(role: Role): Promise<void>;
  /** Where the server of a role listens. */
  urlOf(role: Role): string;
  /** The process of a role. */
  pidOf(role: Role): number;
}

/** All servers of a deployment. */
interface Servers {
  /** In `split`, while the servers behind one gateway run, the next is one more gateway over the same. */
  start(env?: Readonly<Record<string, string>>): Promise<Server>;
  /** Ends every server by SIGTERM; reports those that did not end cleanly. */
  stop(): Promise<string[]>;
}

type Env = Readonly<Record<string, string>>;

interface Member {
  readonly role: Role;
  readonly env: Env;
  readonly process: ServerProcess;
}

const STOP_TIMEOUT_MS = 45_000;
const FRONT: Readonly<Record<Arrangement, Role>> = { all: 'all', split: 'gateway' };
const BEHIND: Readonly<Record<Arrangement, readonly Role[]>> = {
  all: [],
  split: ROLES.filter((role) => role !== 'all' && role !== 'gateway'),
};

/**
 * @param startOne starts one role: `startServerProcess`, or `startServerHere`
 * @param emptySeed a seed file for all roles of `split` but the worker: it alone writes what else each of them would write
 */
export function createServers(
  arrangement: Arrangement,
  base: Env,
  startOne: (env: Env) => Promise<ServerProcess>,
  emptySeed?: string,
): Servers {
  /** Everything that was ever started. */
  const members: Member[] = [];
  const launch = async (role: Role, env: Env): Promise<Member> => {
    const member = { role, env, process: await startOne({ ...envOf(role, base, emptySeed), ...env }) };
    members.push(member);
    return member;
  };
  let behind: Map<Role, Member> = new Map();
  return {
    start: async (env = {}) => {
      if (![...behind.values()].some(isRunning)) {
        const started = await all(BEHIND[arrangement].map((role) => launch(role, env)));
        behind = new Map(started.map((member) => [member.role, member]));
      }
      const front = await launch(FRONT[arrangement], { ...addressesOf(behind), ...env });
      return serve(front, behind, launch);
    },
    stop: async () => {
      const running = members.filter(isRunning);
      const isFront = ({ role }: Member) => role === FRONT[arrangement];
      const failures = await Promise.all(running.filter(isFront).map(stop));
      failures.push(...(await Promise.all(running.filter((member) => !isFront(member)).map(stop))));
      return failures.flat();
    },
  };
}

function serve(
  front: Member,
  behind: Map<Role, Member>,
  launch: (role: Role, env: Env) => Promise<Member>,
): Server {
  let reached = front;
  const members = () => [reached, ...behind.values()];
  const memberOf = (role: Role): Member => {
    const member = members().find((candidate) => candidate.role === role);
    if (!member) {
      throw new Error(`No process of this server has the role ${role}`);
    }
    return member;
  };
  return {
    url: front.process.url,
    get pid() {
      return front.process.pid;
    },
    output: () =>
      members()
        .map(({ process }) => process.output())
        .join(''),
    exit: () =>
      members()
        .map(({ process }) => process.exit())
        .find((exit) => exit !== undefined),
    kill: async (signal, role) => {
      if (role !== undefined) {
        return memberOf(role).process.kill(signal);
      }
      const first = await reached.process.kill(signal);
      const others = await Promise.all([...behind.values()].map(({ process }) => process.kill(signal)));
      return [first, ...others].find(({ code }) => code !== 0) ?? first;
    },
    restart: async (role) => {
      const { env, process } = memberOf(role);
      const again = await launch(role, { ...env, PORT: new URL(process.url).port });
      if (role === front.role) {
        reached = again;
      } else {
        behind.set(role, again);
      }
    },
    urlOf: (role) => memberOf(role).process.url,
    pidOf: (role) => memberOf(role).process.pid,
  };
}

/** A machine of its own for each role: they share settings, never a directory. */
function envOf(role: Role, base: Env, emptySeed: string | undefined): Env {
  if (role === 'all') {
    return base;
  }
  const own = { ...base, ROLE: role, DATA_DIR: join(String(base.DATA_DIR), role) };
  return role !== 'worker' && emptySeed !== undefined ? { ...own, SEED_FILE: emptySeed } : own;
}

/** The settings with the URLs of the subgraphs, such as `SUBGRAPH_USERS_URL`. */
function addressesOf(behind: ReadonlyMap<Role, Member>): Env {
  const subgraphs = [...behind].filter(([role]) => role.startsWith('subgraph-'));
  return Object.fromEntries(
    subgraphs.map(([role, { process }]) => [
      `${role.toUpperCase().replaceAll('-', '_')}_URL`,
      `${process.url}/graphql`,
    ]),
  );
}

/** Waits for every one, whatever fails meanwhile: everything that was started must be known when the failure is reported. */
async function all<T>(starts: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(starts);
  return Promise.all(starts);
}

function isRunning({ process }: Member): boolean {
  return process.exit() === undefined;
}

async function stop({ role, process }: Member): Promise<string[]> {
  const timer = setTimeout(() => process.kill('SIGKILL'), STOP_TIMEOUT_MS);
  const { code, signal } = await process.kill('SIGTERM');
  clearTimeout(timer);
  return code === 0
    ? []
    : [
        `The server ${process.url} (${role}) did not end cleanly at SIGTERM (${signal ?? code}):\n${process.output()}`,
      ];
}
