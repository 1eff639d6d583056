import { resolve } from 'node:path';
import { type AtomicCall, callAtomic, callerOf, newAtomicCall } from './atomic-calls.ts';
import { exchangeWith } from './http.ts';
import { type Asked, FOREVER, type ProviderServer, type Service } from './providers.ts';
import type { Server } from './server.ts';
import { until } from './until.ts';

/** Atomic calls that go the same way. */
export interface Kind {
  readonly name: string;
  readonly call: Pick<AtomicCall, 'method' | 'requester' | 'payer'>;
  /** Who is asked in each phase that they come to, if anybody is. */
  readonly phases: readonly (Service | undefined)[];
  /** How many phases pass as those of the kind before it: they are left out. */
  readonly alike: number;
}

/** Where a call is when its process is killed. */
export interface Point {
  readonly kind: Kind;
  /** Such as `before insert operations`, `asked funding` or `answering funding`. */
  readonly at: string;
  /** Whether the call is accepted by then. */
  readonly isAccepted: boolean;
  /** Who was asked by then, and has to be asked again. */
  readonly unheard?: Service | undefined;
}

/** A call whose process is to be killed while it is at its point. */
export interface Run extends Point {
  readonly call: AtomicCall;
}

/** All points of some kinds, by the processes that are killed there. */
export type Plan = readonly (readonly Point[])[];

/** Environment of a process that can be made to hold: see `hold-at-command.ts`. */
export const HOLDING = { NODE_OPTIONS: `--import=${resolve('dist/test/support/hold-at-command.js')}` };

/** What the store is asked in passing, now and then, for all requests together. */
const CONFIGURATION = / (apiKeys|fxRates|rateLimits|routes|tenants)( \(\d+\))?$/;
const COMMIT = /^commitTransaction/;
/** Of the worker. Whoever stands there stands in the way of all claims to come. */
const CLAIM = ['find remittances', 'update remittances', 'find remittances (2)'];
/** A worker's slots, but for the claim that is held in the end. */
const HELD_AT_ONCE = 31;
const NOWHERE = 'nowhere';

/** Sends a call of each kind that nothing holds, to learn its way. */
export async function planKills(server: Server, kinds: readonly Kind[]): Promise<Plan> {
  const points: Point[] = [];
  for (const kind of kinds) {
    points.push(...pointsOf(kind, await commandsOf(server, kind)));
  }
  const onTheirWayIn = points.filter(({ isAccepted }) => !isAccepted);
  const inWorker = points.filter(({ isAccepted }) => isAccepted);
  const processes = Math.max(Math.ceil(inWorker.length / HELD_AT_ONCE), CLAIM.length);
  const shareOf = (all: readonly Point[], nth: number) =>
    all.filter((_point, index) => index % processes === nth);
  return Array.from({ length: processes }, (_, nth) => [
    ...shareOf(onTheirWayIn, nth),
    ...shareOf(inWorker, nth),
    ...CLAIM.slice(nth, nth + 1).map((command) => ({
      kind: kinds[0] as Kind,
      at: `before ${command}`,
      isAccepted: true,
    })),
  ]);
}

/** Before each command, after each commit, and around each answer of a provider. */
function pointsOf(kind: Kind, commands: readonly string[]): Point[] {
  const claimed = commands.lastIndexOf(CLAIM[2] as string) + 1;
  const points = commands
    .slice(0, commands.indexOf(CLAIM[0] as string))
    .flatMap((command): Point[] => [
      { kind, at: `before ${command}`, isAccepted: false },
      ...(COMMIT.test(command) ? [{ kind, at: `after ${command}`, isAccepted: true }] : []),
    ]);
  let phase = 0;
  let isAsked = false;
  for (const command of commands.slice(claimed)) {
    const service = kind.phases[phase];
    const unheard = isAsked ? service : undefined;
    const of = { kind, isAccepted: true };
    const before: Point[] = [{ ...of, at: `before ${command}`, unheard }];
    // Its first command looks whether the user is blocked; then the provider is asked.
    if (!isAsked && service) {
      before.push({ ...of, at: `asked ${service}`, unheard: service });
      before.push({ ...of, at: `answering ${service}`, unheard: service });
    }
    isAsked = !COMMIT.test(command);
    const after: Point[] = isAsked ? [] : [{ ...of, at: `after ${command}` }];
    points.push(...(phase < kind.alike ? [] : [...before, ...after]));
    phase += isAsked ? 0 : 1;
  }
  return points;
}

async function commandsOf(server: Server, kind: Kind): Promise<string[]> {
  const call = newAtomicCall({ ...kind.call, caller: callerOf(0) });
  const { status, text } = await callAtomic(exchangeWith(server.url), call, followed(call, NOWHERE));
  if (status !== 200) {
    throw new Error(`The example was refused: ${text}`);
  }
  const commands = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith(`{"requestId":"${call.correlationId}","command":`))
      .map((line) => String(JSON.parse(line).command))
      .filter((command) => !CONFIGURATION.test(command));
  const commits = 1 + kind.phases.length;
  await until(
    `the end of a call ${kind.name}`,
    () => commands().filter((command) => COMMIT.test(command)).length === commits,
  );
  return commands();
}

/** Has calls come to all these points, and stay there: in the worker, then at providers, then in a claim. */
export async function holdAtAll(
  server: Server,
  providers: ProviderServer,
  points: readonly Point[],
): Promise<Run[]> {
  const runs = points.map((point, index) => ({
    ...point,
    call: newAtomicCall({ ...point.kind.call, caller: callerOf(index) }),
  }));
  const claims = runs.filter(({ at }) => CLAIM.some((command) => at === `before ${command}`));
  const atProviders = runs.filter(isAtProvider);
  for (const run of runs.filter((one) => !isAtProvider(one) && !claims.includes(one))) {
    await holdAtCommand(server, run);
  }
  providers.hold((asked, when) => {
    const isHere = ({ at, call }: Run) => at === `${when} ${asked.service}` && isOf(asked, call);
    return asked.nth === 1 && atProviders.some(isHere) ? FOREVER : undefined;
  });
  // All at once, and late: they are not waited for long.
  await Promise.all(atProviders.map(({ call }) => callAtomic(exchangeWith(server.url), call)));
  await until('providers asked', () => atProviders.every((run) => askedOf(providers, run) !== undefined));
  for (const run of claims) {
    await holdAtCommand(server, run);
  }
  return runs;
}

/** One at a time: then the worker claims what this call has nudged it to, and nothing else. */
async function holdAtCommand(server: Server, { call, at }: Run): Promise<void> {
  // Its answer is not awaited: it never comes when the call is held on its way in.
  callAtomic(exchangeWith(server.url), call, followed(call, at)).catch(() => undefined);
  const held = JSON.stringify({ requestId: call.correlationId, heldAt: at });
  await until(`a call held ${at}`, () => server.output().includes(held));
}

/** Whether a call stands where it was held: providers are not waited for forever. */
export function isHeld(providers: ProviderServer, run: Run): boolean {
  return !isAtProvider(run) || askedOf(providers, run)?.isOpen() === true;
}

function askedOf({ asked }: ProviderServer, { call, unheard }: Run): Asked | undefined {
  return asked.find((one) => isOf(one, call, unheard));
}

/** Whether a provider was asked on behalf of a call. */
export function isOf(asked: Asked, call: AtomicCall, service = asked.service): boolean {
  return asked.service === service && asked.key.split(':')[1] === call.correlationId;
}

function isAtProvider({ at }: Point): boolean {
  return /^(asked|answering) /.test(at);
}

function followed({ correlationId }: AtomicCall, point: string) {
  return { 'X-Hold-At': point, 'X-Request-Id': correlationId };
}
