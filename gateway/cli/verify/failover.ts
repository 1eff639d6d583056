import { mongo } from 'mongoose';
import { pause } from '../../../subgraphs/kernel/abort.ts';
import { setsOption } from '../../../subgraphs/kernel/database/uri.ts';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';

const STEP_DOWNS = 3;
/** How long a member that stepped down cannot be elected again, and how long it waits for another to catch up. */
const STEP_DOWN = { replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10 };
const FEWEST_MEMBERS = 3;
const STEP_DOWN_ACTION = 'replSetStateChange';

/**
 * Checks that the user may have the primary step down, and that another member can take over.
 * @throws OperatorError with the reason and the fix
 */
export async function requireFailover(uri: string, db: mongo.Db): Promise<void> {
  if (setsOption(uri, 'directConnection')) {
    throw new OperatorError(
      '--failover needs a URI without directConnection: the driver must find the new primary.',
    );
  }
  const { msg, hosts } = await db.admin().command({ hello: 1 });
  if (msg === 'isdbgrid') {
    throw new OperatorError(
      '--failover needs a replica set. This is a router of a sharded cluster: run it on a shard.',
    );
  }
  if (!Array.isArray(hosts) || hosts.length < FEWEST_MEMBERS) {
    throw new OperatorError(
      `--failover needs a replica set of ${FEWEST_MEMBERS} data members or more. This one has ${hosts?.length ?? 0}.`,
    );
  }
  await requireRight(db);
}

/** Without authentication every client has the right. */
async function requireRight(db: mongo.Db): Promise<void> {
  const { authInfo } = await db.admin().command({ connectionStatus: 1, showPrivileges: true });
  const users: readonly unknown[] = authInfo?.authenticatedUsers ?? [];
  const privileges: readonly Privilege[] = authInfo?.authenticatedUserPrivileges ?? [];
  const isAllowed = privileges.some(
    ({ resource, actions }) =>
      (resource.cluster === true && actions.includes(STEP_DOWN_ACTION)) ||
      (resource.anyResource === true && actions.includes('anyAction')),
  );
  if (users.length > 0 && !isAllowed) {
    throw new OperatorError(
      `--failover needs the action ${STEP_DOWN_ACTION} on the cluster, which the role clusterManager has. The user of the URI does not have it.`,
    );
  }
}

interface Privilege {
  readonly resource: { readonly cluster?: boolean; readonly anyResource?: boolean };
  readonly actions: readonly string[];
}

/**
 * Has the primary step down several times, evenly over the time, until the signal aborts.
 * @returns a detail for people
 * @throws Error when the primary never stepped down
 */
export async function stepDownAgainAndAgain(
  uri: string,
  seconds: number,
  isOver: AbortSignal,
): Promise<string> {
  const client = new mongo.MongoClient(uri);
  const failures: string[] = [];
  let stepDowns = 0;
  try {
    for (let turn = 0; turn < STEP_DOWNS; turn += 1) {
      await pause((seconds * 1_000) / (STEP_DOWNS + 1), isOver);
      if (isOver.aborted) {
        break;
      }
      const failure = await stepDown(client);
      if (failure === undefined) {
        stepDowns += 1;
      } else {
        failures.push(failure);
      }
    }
  } finally {
    await client.close();
  }
  if (stepDowns === 0) {
    throw new Error(`The primary has never stepped down: ${failures[0] ?? 'the load was over before'}`);
  }
  return `the primary stepped down ${stepDowns} times`;
}

/** @returns the reason when it did not */
async function stepDown(client: mongo.MongoClient): Promise<string | undefined> {
  try {
    await client.db('admin').command(STEP_DOWN);
    return undefined;
  } catch (error) {
    // Servers before 4.2 closed connections as they stepped down.
    return error instanceof mongo.MongoNetworkError ? undefined : messageOf(error);
  }
}
