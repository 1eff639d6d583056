import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Connection } from 'mongoose';
import { databaseOf } from '../../subgraphs/kernel/database/uri.ts';
import { seedCallers } from './atomic-calls.ts';
import type { Deployment } from './deployment.ts';
import { firstOfEachKind, IS_FULL } from './depth.ts';
import {
  type Command,
  FAULTS,
  type Fault,
  type FaultProxy,
  isPossible,
  startFaultProxy,
} from './fault-proxy.ts';
import { type Exchange, exchangeWith, type RawResponse } from './http.ts';
import { type ProviderServer, startProviders } from './providers.ts';
import type { Scene } from './scene.ts';
import { takeTime } from './ticks.ts';

/** Longest that an answer may take: the driver looks for a primary for so long at most. */
const IN_TIME_SECONDS = 20;

/** The product before a store whose primary fails at commands. */
export interface FaultyProduct {
  readonly deployment: Deployment;
  readonly providers: ProviderServer;
  readonly proxy: FaultProxy;
  readonly url: string;
  readonly exchange: Exchange;
  /** The database itself, past the proxy. */
  readonly database: Connection;
  readonly encryptionKey: Buffer;
}

export async function deployWithFaults(scene: Scene): Promise<FaultyProduct> {
  const encryptionKey = randomBytes(32);
  const providers = await startProviders({ deduplicates: true });
  scene.atEnd(() => providers.close());
  const proxy = await startFaultProxy();
  scene.atEnd(() => proxy.close());
  const deployment = await scene.deploy({
    env: {
      ...providers.env,
      ENCRYPTION_KEY: encryptionKey.toString('hex'),
      PIPELINE_SWEEP_SECONDS: '1',
      PIPELINE_LEASE_SECONDS: '15',
      PIPELINE_RETRY_SECONDS: Array.from({ length: 20 }, () => '1').join(),
      WEBHOOK_SWEEP_SECONDS: '1',
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
    },
  });
  seedCallers(deployment);
  const name = databaseOf(String(deployment.env.MONGODB_URI)) ?? '';
  const { url } = await deployment.start({ MONGODB_URI: proxy.uriOf(name) });
  const database = await deployment.database();
  return { deployment, providers, proxy, url, exchange: exchangeWith(url), database, encryptionKey };
}

/** Commands of a use case: those on its collections, and the ends of transactions that have such. */
export function commandsOn(collections: readonly string[]): (command: Command) => boolean {
  const transactions = new Set<string>();
  return (command) => {
    const isOwn = command.collections.some((one) => collections.includes(one));
    if (isOwn && command.transaction !== undefined) {
      transactions.add(command.transaction);
    }
    return isOwn || (command.transaction !== undefined && transactions.has(command.transaction));
  };
}

/** The last answer, and how many answers of an outage came before. */
interface Insisted {
  readonly answer: RawResponse;
  readonly outages: number;
}

/** Sends until there is an answer that is none of an outage; every answer must come in time. */
export async function insist(send: () => Promise<RawResponse>): Promise<Insisted> {
  for (let outages = 0; ; outages += 1) {
    const [answer, seconds] = await takeTime(send);
    expect(seconds).toBeLessThan(IN_TIME_SECONDS);
    if (answer.status !== 503 && !answer.text.includes('"SERVICE_UNAVAILABLE"')) {
      return { answer, outages };
    }
  }
}

/** The struck call. */
interface Target<Made> {
  /** Commands that count; made anew for each run. */
  counts(): (command: Command) => boolean;
  /** Makes what a run needs, before a fault can strike. */
  prepare(): Promise<Made>;
  run(name: string, made: Made): Promise<void>;
}

/** A fault, and the command that it strikes at: the nth of those of its kind. */
interface Strike {
  readonly fault: Fault;
  readonly nth: number;
  /** Undefined: any command counts. */
  readonly kind: string | undefined;
}

/**
 * In the full form each fault at each command that it can strike. In the short one each fault once, at the commands in turn,
 * and each kind of command at least once.
 * @returns how often each has struck
 */
export async function strikeAll<Made>(
  proxy: FaultProxy,
  { counts, prepare, run }: Target<Made>,
): Promise<Record<Fault, number>> {
  const runWith = async ({ fault, nth, kind }: Partial<Strike>, name: string) => {
    const made = await prepare();
    const isCounted = counts();
    const armed = proxy.arm(
      fault,
      nth ?? 0,
      (command) => isCounted(command) && (kind === undefined || kindOf(command) === kind),
    );
    await run(name, made);
    proxy.arm(undefined, 0, () => false);
    return armed;
  };
  const { seen } = await runWith({}, 'no fault');
  const struck = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  for (const { fault, nth, kind } of IS_FULL ? allStrikes(seen) : fewStrikes(seen)) {
    const strike = (at: number, of: string | undefined) =>
      runWith(
        { fault, nth: at, kind: of },
        `${fault}, at ${of ?? 'command'} ${at} of ${seen.map(({ name }) => name).join(' ')}`,
      );
    let armed = await strike(nth, kind);
    if (armed.seen.length < nth) {
      // A file that another run has read shortly before is not read again: there are fewer commands.
      armed = await strike(kind === undefined ? Math.max(1, armed.seen.length) : 1, undefined);
    }
    struck[fault] += Number(armed.hasStruck());
  }
  return struck;
}

/** Also where the fault is not possible: in another run another command may come there, such as the commit. */
function allStrikes(seen: readonly Command[]): Strike[] {
  return FAULTS.flatMap((fault) =>
    seen.map((_command, index) => ({ fault, nth: index + 1, kind: undefined })),
  );
}

function fewStrikes(seen: readonly Command[]): Strike[] {
  // From the last one, because the writes are there.
  const commands = firstOfEachKind(seen.toReversed(), kindOf);
  const left = new Set(commands);
  const strikes: Strike[] = [];
  for (let index = 0; index < FAULTS.length || left.size > 0; index += 1) {
    const fault = FAULTS[index % FAULTS.length] as Fault;
    const command = [...left, ...commands].find((one) => isPossible(fault, one));
    if (command !== undefined && (index < FAULTS.length || left.has(command))) {
      left.delete(command);
      strikes.push({ fault, nth: 1, kind: kindOf(command) });
    }
  }
  return strikes;
}

/** Such as `insert in a transaction`. */
function kindOf({ name, transaction }: Command): string {
  return transaction === undefined ? name : `${name} in a transaction`;
}
