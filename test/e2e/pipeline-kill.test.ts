/** @only-in-full */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { callAtomic, seedCallers } from '../support/atomic-calls.ts';
import type { Deployment } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import {
  holdAtAll,
  isHeld,
  isOf,
  type Kind,
  type Plan,
  planKills,
  type Run,
} from '../support/killed-calls.ts';
import { connectToStore, onStoppedStore, startSurvivor } from '../support/killed-store.ts';
import { type PipelineRecords, readPipelineRecords } from '../support/pipeline-records.ts';
import { knowsBulkWrite, type Preload, preloading } from '../support/preloads.ts';
import { type ProviderRequest, type ProviderServer, startProviders } from '../support/providers.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/** The records of a call in the end. */
interface End {
  readonly outcome: object;
  readonly records: readonly string[];
}

/** The outcome of all calls to one provider whose process was killed. */
interface Kills {
  readonly providers: ProviderServer;
  readonly deployment: Deployment;
  readonly runs: readonly Run[];
  /** How many of them were still at their points. */
  readonly struck: number;
  /** Outcomes that were stored with the lease of a process that did not come to post them. */
  readonly unposted: number;
  /** Whether the writes of a transaction are one command. */
  readonly together: boolean;
  /** How the last process answers the same calls. */
  readonly retries: ReadonlyMap<Run, number>;
  readonly records: PipelineRecords;
}

const moves = (...types: string[]) => types.map((type, index) => `event remittance.${type} ${index + 1}`);
const toAccount: Kind & End = {
  name: 'paid out to an account',
  call: { method: 'account', requester: 'Ruiz', payer: 'Roe' },
  services: ['identity', 'ubn', 'funding'],
  alike: 0,
  outcome: { status: 'Accepted', phase: 'REQUEST_MONEY' },
  records: [
    'contact asked 1',
    'event operation.created 1',
    ...moves('accepted', 'phase_changed', 'phase_changed', 'phase_changed', 'succeeded'),
    'history Sent',
    'method UBN',
    'operation Sent',
    'outcome Accepted DELIVERED',
    'remittance SUCCEEDED in REQUEST_MONEY, version 5',
    'user verified',
  ],
};
const unfunded: Kind & End = {
  name: 'whose payer will not pay',
  call: { method: 'card', requester: 'Ruiz', payer: 'Unwilling' },
  services: ['identity', 'cards', 'funding'],
  alike: 1,
  outcome: { status: 'Failed', phase: 'REQUEST_MONEY', errorCode: 'ERROR_INVALID_OPERATION' },
  records: [
    'contact asked 0',
    ...moves('accepted', 'phase_changed', 'phase_changed', 'phase_changed', 'failed'),
    'method DebitCard',
    'outcome Failed DELIVERED',
    'remittance FAILED in REQUEST_MONEY, version 5',
    'user verified',
  ],
};
const listed: Kind & End = {
  name: 'of somebody on a list',
  call: { method: 'account', requester: 'Listed', payer: 'Roe' },
  services: ['identity'],
  alike: 0,
  outcome: { status: 'Failed', phase: 'CIP', errorCode: 'ERROR_CIP_NOT_COMPLETED' },
  records: [
    ...moves('accepted', 'failed'),
    'outcome Failed DELIVERED',
    'remittance FAILED in CIP, version 2',
    'user failed',
  ],
};
const KINDS = [toAccount, unfunded, listed];

function answer({ service, body }: ProviderRequest): object {
  if (service === 'identity') {
    return { result: body.includes(listed.call.requester) ? 'hit' : 'clear' };
  }
  return { result: body.includes(unfunded.call.payer) ? 'refused' : 'accepted' };
}

/** A killed process leaves its work to the last one: it looks for nothing that is due. */
const DOOMED = {
  PIPELINE_LEASE_SECONDS: '15',
  PIPELINE_SWEEP_SECONDS: '3600',
  WEBHOOK_SWEEP_SECONDS: '3600',
  // These leases and those of steps are not over before the test ends them.
  WEBHOOK_TIMEOUT_SECONDS: '120',
};
/** The commands of a claim: it looks for what is due, writes its lease there, and reads what it has won. */
const CLAIM = ['find remittances', 'update remittances', 'find remittances leaseToken'];
const EVERY_SECOND = Array.from({ length: 10 }, () => '1').join();
const LAST = {
  PIPELINE_SWEEP_SECONDS: '1',
  PIPELINE_RETRY_SECONDS: EVERY_SECOND,
  WEBHOOK_SWEEP_SECONDS: '1',
  WEBHOOK_RETRY_SECONDS: EVERY_SECOND,
  WEBHOOK_MAX_ATTEMPTS: '10',
};
/** A provider, and what is changed in all processes that call it. */
interface Setting {
  readonly name: string;
  readonly deduplicates: boolean;
  /** Whether processes are killed in a claim too: it is the same whatever the provider does, and without bulkWrite. */
  readonly killsClaims: boolean;
  readonly preloads: readonly Preload[];
}

const SETTINGS: readonly Setting[] = [
  { name: 'a provider that deduplicates', deduplicates: true, killsClaims: true, preloads: [] },
  {
    name: 'one that does not, without bulkWrite',
    deduplicates: false,
    killsClaims: false,
    preloads: ['without-bulk-write'],
  },
];

const scene = useScene();
const encryptionKey = randomBytes(32);
const bySetting = new Map<Setting, Kills>();

beforeAll(async () => {
  const survivor = await startSurvivor(scene);
  // One store lives on where the lifetime of unfinished transactions can be set; the other dies with the process.
  await Promise.all(
    SETTINGS.map(async (setting) => {
      bySetting.set(setting, await killAll(setting, setting.deduplicates ? survivor : undefined));
    }),
  );
}, 1_200_000);

describe.each(SETTINGS)('kill -9 at every await of every step, $name', (setting) => {
  const kills = () => bySetting.get(setting)!;
  const table = (row: (run: Run) => unknown, kind?: Kind) =>
    kills()
      .runs.filter((run) => kind === undefined || run.kind === kind)
      .map((run) => [`${run.call.correlationId} ${run.at}`, row(run)]);

  // One command for all writes of a transaction leaves fewer awaits to strike at.
  test('strikes 39 calls and more, or 64 where each collection is a command: before every write, around every commit and every answer', () => {
    const { struck, together, runs } = kills();
    expect(struck).toBeGreaterThanOrEqual(together ? 39 : 64);
    const points = runs.filter(({ kind }) => kind === toAccount).map(({ at }) => at);
    const written = ['contacts', 'paymentMethods', 'operations', 'operationHistory', 'webhookDeliveries'];
    // The acceptance, and a transaction for each service that is called.
    const nths = ['', ' (2)', ' (3)', ' (4)'];
    expect(points).toEqual(
      expect.arrayContaining([
        ...['identity', 'ubn', 'funding'].flatMap((service) => [
          `received ${service}`,
          `answering ${service}`,
        ]),
        ...nths.flatMap((nth) => [`before commitTransaction${nth}`, `after commitTransaction${nth}`]),
        ...(together
          ? nths.map((nth) => `before bulkWrite${nth}`)
          : [
              'before insert remittances',
              ...nths.slice(0, 3).map((nth) => `before update remittances${nth}`),
              ...nths.map((nth) => `before insert events${nth}`),
              ...written.map((collection) => `before insert ${collection}`),
            ]),
      ]),
    );
  });

  test('leaves outcomes unposted after the commits that store them', () => {
    expect(kills().unposted).toBeGreaterThanOrEqual(KINDS.length);
  });

  test('takes no call twice that was accepted, and leaves the others to a retry', () => {
    expect(table((run) => kills().retries.get(run))).toEqual(
      table(({ isAccepted }) => (isAccepted ? 400 : 200)),
    );
  });

  describe.each(KINDS)('calls $name', (kind) => {
    test('leave everything there, once', () => {
      expect(table(({ call }) => kills().records.get(call.correlationId), kind)).toEqual(
        table(() => kind.records.toSorted(), kind),
      );
    });

    test('have one outcome', () => {
      const reported = ({ call }: Run) =>
        kills()
          .deployment.receiver.webhooks.map((webhook) => ({
            ...(JSON.parse(webhook.text) as { correlationId: string }),
            deliveryId: headerOf(webhook, 'X-Webhook-Delivery-Id'),
          }))
          .filter(({ correlationId }) => correlationId === call.correlationId);
      const ids = (run: Run) => new Set(reported(run).map(({ deliveryId }) => deliveryId)).size;
      expect(table(ids, kind)).toEqual(table(() => 1, kind));
      expect(table((run) => reported(run)[0], kind)).toEqual(
        table(() => expect.objectContaining(kind.outcome), kind),
      );
    });

    test('are called once, and again only where the answer was lost', () => {
      const { services } = kind;
      const count = (list: readonly ProviderRequest[]) => (run: Run) =>
        services.map((service) => list.filter((one) => isOf(one, run.call, service)).length);
      expect(table(count(kills().providers.received), kind)).toEqual(
        table(({ unanswered }) => services.map((service) => (service === unanswered ? 2 : 1)), kind),
      );
      if (setting.deduplicates) {
        expect(table(count(kills().providers.done), kind)).toEqual(table(() => services.map(() => 1), kind));
      }
    });
  });
});

/** Has calls come to all points of their way, kills their processes one after the other, and starts the last one. */
async function killAll(setting: Setting, survivor: string | undefined): Promise<Kills> {
  const { deduplicates, killsClaims, preloads } = setting;
  const providers = await startProviders({ deduplicates, answer });
  scene.atEnd(() => providers.close());
  const ENCRYPTION_KEY = encryptionKey.toString('hex');
  const deployment = await scene.deploy({
    store: 'embedded',
    processes: true,
    env: {
      ...providers.env,
      ENCRYPTION_KEY,
      ...(survivor && { MONGODB_URI: withDatabase(survivor, 'remitgraph_pipeline_kill') }),
    },
  });
  seedCallers(deployment);
  const doomed = { ...DOOMED, ...preloading(...preloads, 'hold-at-command') };
  const runs: Run[] = [];
  let plan: Plan | undefined;
  let struck = 0;
  for (let nth = 0; nth < (plan?.length ?? 1); nth += 1) {
    const server = await deployment.start(doomed);
    plan ??= await planKills(server, KINDS);
    const held = await holdAtAll(server, providers, plan[nth] ?? []);
    struck += held.filter((run) => isHeld(providers, run)).length;
    await server.kill('SIGKILL');
    runs.push(...held);
  }
  if (killsClaims) {
    await killClaims(deployment, { ...doomed, PIPELINE_SWEEP_SECONDS: '1' });
    await onStoppedStore(deployment, endStepLeases);
  }
  const killedAt = new Date();
  const server = await deployment.start({ ...LAST, ...preloading(...preloads) });
  const connection = await connectToStore(scene, deployment);
  const unposted = await endLeases(connection, killedAt);
  const retries = await callAgain(server, runs);
  const together = preloads.length === 0 && (await knowsBulkWrite(connection));
  const records = await recordsAtTheEnd(connection);
  return { providers, deployment, runs, struck, unposted, together, retries, records };
}

/** Kills a process at each command of a claim of what the others have left. */
async function killClaims(deployment: Deployment, env: Readonly<Record<string, string>>): Promise<void> {
  for (const command of CLAIM) {
    await onStoppedStore(deployment, endStepLeases);
    const server = await deployment.start({ ...env, HOLD_AT_COMMAND: command });
    const held = JSON.stringify({ heldAt: `before ${command}` });
    await until(`a process held before ${command}`, () => server.output().includes(held));
    await server.kill('SIGKILL');
  }
}

/** Steps are as they are when the leases of those who are dead are over. Only while no process runs. */
async function endStepLeases(connection: Connection): Promise<void> {
  const nextAttemptAt = new Date();
  await connection
    .collection('remittances')
    .updateMany({ leaseToken: { $exists: true } }, { $set: { nextAttemptAt } });
}

/** Outcomes are as they are when the leases of those who are dead are over. @returns how many there are */
async function endLeases(connection: Connection, killedAt: Date): Promise<number> {
  const { matchedCount } = await connection
    .collection('webhookDeliveries')
    .updateMany(
      { status: 'PENDING', leaseToken: { $exists: true }, createdAt: { $lt: killedAt } },
      { $set: { nextAttemptAt: new Date() } },
    );
  return matchedCount;
}

async function callAgain(server: Server, runs: readonly Run[]): Promise<Map<Run, number>> {
  const exchange = exchangeWith(server.url);
  const answers = runs.map(async (run) => [run, (await callAtomic(exchange, run.call)).status] as const);
  return new Map(await Promise.all(answers));
}

async function recordsAtTheEnd(connection: Connection): Promise<PipelineRecords> {
  await untilNone(connection, 'remittances', 'IN_PROGRESS');
  await untilNone(connection, 'webhookDeliveries', 'PENDING');
  return readPipelineRecords(connection, encryptionKey);
}

async function untilNone(connection: Connection, collection: string, status: string): Promise<void> {
  const count = () => connection.collection(collection).countDocuments({ status });
  await until(`no ${collection} ${status}`, async () => (await count()) === 0);
}
