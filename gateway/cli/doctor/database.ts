import { type Connection, mongo } from 'mongoose';
import { commandLine } from '../../../subgraphs/kernel/command-line.ts';
import { checkKeys, hasKeys, secretsOf } from '../../../subgraphs/kernel/crypto/key-check.ts';
import { compareIndexes } from '../../../subgraphs/kernel/database/indexes.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { titleOf } from '../../../subgraphs/runtime/migrations/migration.ts';
import { createMigrations } from '../../../subgraphs/runtime/migrations/migrations.ts';
import {
  lackingOf,
  MigrationError,
  type MigrationStatus,
} from '../../../subgraphs/runtime/migrations/status.ts';
import {
  HELD,
  type HeldEndpoint,
  heldDeliveries,
  MOST_HELD,
} from '../../../subgraphs/webhooks/held-endpoints.ts';
import type { CallingTenant } from '../../app/refused-calls.ts';
import { checkMembers, checkOplog, checkStorage } from './cluster.ts';
import { type Examined, type Finding, failure, warning, well } from './finding.ts';
import { checkRoles } from './privileges.ts';
import { checkProviders } from './providers.ts';

const SECOND_MS = 1_000;
/** Tokens between roles allow 5 s; leases and retries go by each process's clock. */
const MOST_CLOCK_MS = 2 * SECOND_MS;
const MOST_LAG_MS = 30 * SECOND_MS;
const MOST_STEP_MS = 300 * SECOND_MS;
/** Failed attempts of a phase end after 13 minutes (decisions, section 2). */
const MOST_PHASE_MS = 1_200 * SECOND_MS;
const MOST_WEBHOOK_MS = 600 * SECOND_MS;
/** The maximum number that is counted; further ones are not reported. */
const MOST_COUNTED = 10_000;

const MIGRATE = commandLine('admin', 'migrate');
const START_WORKER = 'Start a process with ROLE=worker (or all), and look at its log.';

/** All checks of a database that can be reached. Nothing is written. A check that throws is a failure of its own. */
export async function checkDatabase(examined: Examined): Promise<Finding[]> {
  const checks: Readonly<Record<string, (examined: Examined) => Promise<Finding | Finding[]>>> = {
    'replica set': checkMembers,
    storage: checkStorage,
    oplog: checkOplog,
    roles: checkRoles,
    clock: checkClock,
    keys: checkSecrets,
    migrations: checkMigrations,
    indexes: checkIndexes,
    events: checkNumbering,
    remittances: checkSteps,
    webhooks: checkWebhooks,
    tenants: checkTenants,
    providers: (one) => checkProviders(one.config, () => readTenants(one)),
  };
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return await check(examined);
      } catch (error) {
        return failure(
          name,
          `This could not be checked: ${messageOf(error)}`,
          "Look at the database's log and its disk, then run this command again.",
        );
      }
    }),
  );
  return found.flat();
}

async function checkClock({ connection, now }: Examined): Promise<Finding> {
  const before = now().getTime();
  const { localTime } = await hello(connection);
  const here = (before + now().getTime()) / 2;
  if (!(localTime instanceof Date)) {
    return well('clock', 'The database does not report its time.');
  }
  const apart = here - localTime.getTime();
  const reported = `${(Math.abs(apart) / SECOND_MS).toFixed(1)} s`;
  return Math.abs(apart) > MOST_CLOCK_MS
    ? failure(
        'clock',
        `This machine is ${reported} ${apart > 0 ? 'ahead of' : 'behind'} the database.`,
        'Let both follow a time server (timedatectl set-ntp true), then restart the processes here.',
      )
    : well('clock', `This machine and the database are ${reported} apart.`);
}

async function checkSecrets({ connection, config }: Examined): Promise<Finding> {
  if (!(await hasKeys(connection))) {
    return well('keys', 'Nothing was written yet: any secrets will do.');
  }
  const issue = await checkKeys(connection, secretsOf(config));
  return issue === undefined
    ? well('keys', 'The secrets are those that the data was written under.')
    : failure('keys', 'The secrets are not those that the data was written under.', issue.message);
}

async function checkMigrations(examined: Examined): Promise<Finding> {
  const { connection } = examined;
  if (!(await hasKeys(connection))) {
    return well('migrations', `The first start of a server, or \`${MIGRATE}\`, makes collections.`);
  }
  const log = { info: () => undefined };
  try {
    const statuses = await createMigrations({ connection, log }).status();
    return judgeMigrations(examined, statuses);
  } catch (error) {
    if (error instanceof MigrationError) {
      return failure('migrations', 'The database is not that of this version.', error.message);
    }
    throw error;
  }
}

function judgeMigrations({ config }: Examined, statuses: readonly MigrationStatus[]): Finding {
  const lacking = lackingOf(statuses).map(titleOf).join(', ');
  if (!lacking) {
    return well('migrations', 'The database is that of this version.');
  }
  const what = `The database lacks migration ${lacking}.`;
  return config.MIGRATE_ON_START
    ? warning('migrations', what, `The next start applies it, or run \`${MIGRATE}\`.`)
    : failure('migrations', what, `Run \`${MIGRATE}\`: until then no server starts.`);
}

async function checkIndexes({ connection }: Examined): Promise<Finding[]> {
  if (!(await hasKeys(connection))) {
    return [well('indexes', `The first start of a server, or \`${MIGRATE}\`, makes them.`)];
  }
  const { missing, differing, unknown } = await compareIndexes(connection);
  const findings: Finding[] = [];
  if (missing.length > 0) {
    const fix = `Run \`${MIGRATE}\`: it makes what is missing, beside running servers. On large collections that takes minutes.`;
    findings.push(failure('indexes', `These indexes are missing: ${missing.join(', ')}.`, fix));
  }
  if (differing.length > 0) {
    const what = `These indexes differ from this version's: ${differing.join(', ')}.`;
    const fix = `Drop each by db.collection.dropIndex("…") at a quiet time, then run \`${MIGRATE}\`.`;
    findings.push(failure('indexes', what, fix));
  }
  if (unknown.length > 0) {
    const what = `No query of this version uses these indexes: ${unknown.join(', ')}.`;
    const fix = 'Each write pays for them. Drop them unless they are shard keys or serve another program.';
    findings.push(warning('indexes', what, fix));
  }
  return findings.length > 0 ? findings : [well('indexes', 'Every index is there.')];
}

async function checkNumbering(examined: Examined): Promise<Finding> {
  const oldest = await collection(examined, 'events').findOne(
    { pending: true },
    { projection: { occurredAt: 1 }, sort: { occurredAt: 1 } },
  );
  const lag = oldest ? examined.now().getTime() - Number(oldest.occurredAt) : 0;
  return lag > MOST_LAG_MS
    ? failure(
        'events',
        `The oldest event without a number is ${Math.round(lag / SECOND_MS)} s old: live statuses stand still.`,
        START_WORKER,
      )
    : well('events', 'All events have their numbers, or get them now.');
}

async function checkSteps(examined: Examined): Promise<Finding> {
  const count = await overdue(examined, 'remittances', { isOpen: true, status: 'IN_PROGRESS' }, MOST_STEP_MS);
  if (count > 0) {
    return failure(
      'remittances',
      `${many(count)} remittances have been due for over 5 minutes.`,
      START_WORKER,
    );
  }
  const since = { $lt: new Date(examined.now().getTime() - MOST_PHASE_MS) };
  const stuck = await collection(examined, 'remittances').countDocuments(
    { isOpen: true, status: 'IN_PROGRESS', phaseSince: since },
    { limit: MOST_COUNTED },
  );
  return stuck > 0
    ? warning(
        'remittances',
        `Remittances in one phase for over 20 minutes: ${many(stuck)}.`,
        "Look at the workers' log for pipeline.attempt, and at the provider of that phase.",
      )
    : well('remittances', 'No remittance is stuck.');
}

async function checkWebhooks(examined: Examined): Promise<Finding> {
  const endpoints = await collection<HeldEndpoint>(examined, 'webhookEndpointStates')
    .find(HELD, { projection: { holds: 1 }, limit: MOST_HELD })
    .toArray();
  const held = heldDeliveries(endpoints);
  const isSent = held ? { status: 'PENDING', $nor: [held] } : { status: 'PENDING' };
  const count = await overdue(examined, 'webhookDeliveries', isSent, MOST_WEBHOOK_MS);
  return count > 0
    ? warning('webhooks', `${many(count)} webhooks have been due for over 10 minutes.`, START_WORKER)
    : well('webhooks', 'No webhook waits for a worker.');
}

/** A key of an environment that is not served is unknown, so it does not count. */
async function checkTenants(examined: Examined): Promise<Finding> {
  const { ENVIRONMENTS: served } = examined.config;
  const ofServed = { accountId: { $regex: `/(?:${served.join('|')})$` } };
  const [tenant, key] = await Promise.all([
    collection(examined, 'tenants').findOne({}, { projection: { _id: 1 } }),
    collection(examined, 'apiKeys').findOne(ofServed, { projection: { _id: 1 } }),
  ]);
  return tenant && key
    ? well('tenants', 'There are partners and keys.')
    : warning(
        'tenants',
        `There is no ${tenant ? `${served.join(' or ')} API key` : 'partner'} yet: nobody can call.`,
        `${commandLine('admin', 'tenant create --help')}, then ${commandLine('admin', 'key create --help')}; or set SEED_FILE.`,
      );
}

function readTenants(examined: Examined): Promise<CallingTenant[]> {
  return collection<CallingTenant>(examined, 'tenants')
    .find({}, { projection: { _id: 0, tenantId: 1, environment: 1, country: 1, features: 1 } })
    .toArray();
}

function overdue(examined: Examined, name: string, filter: mongo.Document, byMs: number): Promise<number> {
  const nextAttemptAt = { $lt: new Date(examined.now().getTime() - byMs) };
  return collection(examined, name).countDocuments({ ...filter, nextAttemptAt }, { limit: MOST_COUNTED });
}

function many(count: number): string {
  return count < MOST_COUNTED ? count.toLocaleString('en') : `${MOST_COUNTED.toLocaleString('en')} or more`;
}

/** The driver's own: models cast, and would make nothing clearer here. */
function collection<Stored extends mongo.BSON.Document = mongo.Document>(
  { connection }: Examined,
  name: string,
) {
  return connection.getClient().db(connection.name).collection<Stored>(name);
}

function hello(connection: Connection): Promise<mongo.Document> {
  return connection.getClient().db('admin').command({ hello: 1 });
}
