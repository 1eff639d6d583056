import { type AtomicCall, callAtomic, callerOf, newAtomicCall } from './atomic-calls.ts';
import { exchangeWith } from './http.ts';
import { FOREVER, type ProviderRequest, type ProviderServer, type Service } from './providers.ts';
import type { Server } from './server.ts';
import { until } from './until.ts';

/** Atomic calls that go the same way. */
export interface Kind {
  readonly name: string;
  readonly call: Pick<AtomicCall, 'method' | 'requester' | 'payer'>;
  /** The services that are called, one after the other: each answer is saved in a transaction of its own. */
  readonly services: readonly Service[];
  /** How many answers are saved as those of the kind before it: they are left out. */
  readonly alike: number;
}

/** Where a call is when its process is killed. */
interface Point {
  readonly kind: Kind;
  /** Such as `before insert operations`, `received funding` or `answering funding`. */
  readonly at: string;
  /** Whether the call is accepted by then. */
  readonly isAccepted: boolean;
  /** The service that was called by then, and has to be called again. */
  readonly unanswered?: Service | undefined;
}

/** A call whose process is killed while it is at its point. */
export interface Run extends Point {
  readonly call: AtomicCall;
}

/** All points of some kinds, by the processes that are killed there; what two kinds have alike is there once. */
export type Plan = readonly (readonly Point[])[];

/**
 * Commands that serve all requests together: keys, routes, rates and tenants with their endpoints are read
 * once in 2 s, a key's last use, the log of requests and the record of the process are written beside them, and calls are granted to a key by the thousand.
 * Of a request that stands there just as much is stored as of one that stands before the next command of its own.
 */
export const CONFIGURATION =
  / (apiKeys|fxRates|processes|rateLimits|requestLog|routes|tenants|webhookEndpoints)( \(\d+\))?$/;
const COMMIT = /^commitTransaction/;
/** Calls that a process can hold at commands: each keeps a connection of the 50 that it has. */
const HELD_AT_ONCE = 40;
const NOWHERE = 'nowhere';

/** Sends a call of each kind that nothing holds, to learn its way. */
export async function planKills(server: Server, kinds: readonly Kind[]): Promise<Plan> {
  const points: Point[] = [];
  const acceptances = new Set<string>();
  for (const kind of kinds) {
    const commands = await commandsOf(server, kind);
    const accepting = commands.findIndex((command) => COMMIT.test(command)) + 1;
    const acceptance = commands.slice(0, accepting);
    // Of kinds that are accepted by the same commands, the first stands for all.
    if (!acceptances.has(acceptance.join())) {
      points.push(...acceptancePoints(kind, acceptance));
    }
    acceptances.add(acceptance.join());
    points.push(...stepPoints(kind, commands.slice(accepting)));
  }
  const processes = Math.ceil(points.filter((point) => !isAtProvider(point)).length / HELD_AT_ONCE);
  return Array.from({ length: processes }, (_, nth) =>
    points.filter((_point, index) => index % processes === nth),
  );
}

/** Before each command, and after the commit. */
function acceptancePoints(kind: Kind, commands: readonly string[]): Point[] {
  return commands.flatMap((command): Point[] => [
    { kind, at: `before ${command}`, isAccepted: false },
    ...(COMMIT.test(command) ? [{ kind, at: `after ${command}`, isAccepted: true }] : []),
  ]);
}

/** Before each command, after each commit, and around each answer of a provider. */
function stepPoints(kind: Kind, commands: readonly string[]): Point[] {
  const points: Point[] = [];
  let step = 0;
  let nth = 0;
  for (const command of commands) {
    if (step >= kind.alike) {
      points.push(...pointsIn(kind, step, { command, nth }));
    }
    const isOver = COMMIT.test(command);
    step += isOver ? 1 : 0;
    nth = isOver ? 0 : nth + 1;
  }
  return points;
}

/** Those at the nth command of a step, from 0. */
function pointsIn(kind: Kind, step: number, { command, nth }: { command: string; nth: number }): Point[] {
  const service = kind.services[step];
  const of = { kind, isAccepted: true };
  // Each step begins with its provider.
  const atService = service && nth === 0 ? [`received ${service}`, `answering ${service}`] : [];
  return [
    ...atService.map((at) => ({ ...of, at, unanswered: service })),
    { ...of, at: `before ${command}`, unanswered: service },
    ...(COMMIT.test(command) ? [{ ...of, at: `after ${command}` }] : []),
  ];
}

async function commandsOf(server: Server, kind: Kind): Promise<string[]> {
  const call = newAtomicCall({ ...kind.call, caller: callerOf(0) });
  const { status, text } = await callAtomic(exchangeWith(server.url), call, followed(call, NOWHERE));
  if (status !== 200) {
    throw new Error(`The example was rejected: ${text}`);
  }
  const commands = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith(`{"requestId":"${call.correlationId}","command":`))
      .map((line) => String(JSON.parse(line).command))
      .filter((command) => !CONFIGURATION.test(command));
  const end = () => endOf(kind, commands());
  await until(`the end of a call ${kind.name}`, () => end() > 0);
  return commands().slice(0, end());
}

/** The number of commands that a call takes to its end, behind which its outcome is posted; 0 when it is not there yet. */
function endOf({ services }: Kind, commands: readonly string[]): number {
  const commits = commands.flatMap((command, index) => (COMMIT.test(command) ? [index + 1] : []));
  return commits[services.length] ?? 0;
}

/** Has calls come to all these points, and stay there: at commands, then at providers. */
export async function holdAtAll(
  server: Server,
  providers: ProviderServer,
  points: readonly Point[],
): Promise<Run[]> {
  const runs = points.map((point, index) => ({
    ...point,
    call: newAtomicCall({ ...point.kind.call, caller: callerOf(index) }),
  }));
  const atProviders = runs.filter(isAtProvider);
  for (const run of runs.filter((one) => !isAtProvider(one))) {
    await holdAtCommand(server, run);
  }
  providers.hold((request, when) => {
    const isHere = ({ at, call }: Run) => at === `${when} ${request.service}` && isOf(request, call);
    return request.nth === 1 && atProviders.some(isHere) ? FOREVER : undefined;
  });
  // All at once, and late: they are not waited for long.
  await Promise.all(atProviders.map(({ call }) => callAtomic(exchangeWith(server.url), call)));
  await until('requests at all providers', () =>
    atProviders.every((run) => requestOf(providers, run) !== undefined),
  );
  return runs;
}

/** One at a time: then what all requests share is read once, by the first of them. */
async function holdAtCommand(server: Server, { call, at }: Run): Promise<void> {
  // Its answer is not awaited: it never comes when the call is held on its way in.
  callAtomic(exchangeWith(server.url), call, followed(call, at)).catch(() => undefined);
  const held = JSON.stringify({ requestId: call.correlationId, heldAt: at });
  await until(`a call held ${at}`, () => server.output().includes(held));
}

/** Whether a call stands where it was held: providers are not waited for forever. */
export function isHeld(providers: ProviderServer, run: Run): boolean {
  return !isAtProvider(run) || requestOf(providers, run)?.isOpen() === true;
}

function requestOf({ received }: ProviderServer, { call, unanswered }: Run): ProviderRequest | undefined {
  return received.find((one) => isOf(one, call, unanswered));
}

/** Whether a provider got a request on behalf of a call. */
export function isOf(request: ProviderRequest, call: AtomicCall, service = request.service): boolean {
  return request.service === service && request.key.split(':')[1] === call.correlationId;
}

function isAtProvider({ at }: Point): boolean {
  return /^(received|answering) /.test(at);
}

function followed({ correlationId }: AtomicCall, point: string) {
  return { 'X-Hold-At': point, 'X-Request-Id': correlationId };
}
