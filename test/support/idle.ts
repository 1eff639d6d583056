import type { Deployment } from './deployment.ts';
import { until } from './until.ts';

type Database = Awaited<ReturnType<Deployment['database']>>;

/** Waits until nothing is being written: what a killed process had begun a store may keep from others for a minute. */
export async function untilIdle(database: Database): Promise<void> {
  const isNone = async (name: string, filter: object) =>
    (await database.collection(name).countDocuments(filter)) === 0;
  await until('every event numbered', () => isNone('events', { pending: true }));
  await until('the end of every delivery', () => isNone('webhookDeliveries', { status: 'PENDING' }));
}

/** Has a recurring job run when its process looks next, after five seconds at most, in place of the end of its interval. */
export async function makeJobDue(database: Database, name: string): Promise<void> {
  const { matchedCount } = await database
    .collection('agendaJobs')
    .updateOne({ name }, { $set: { nextRunAt: new Date() } });
  if (matchedCount !== 1) {
    throw new Error(`There is no job ${name}`);
  }
}

/** Makes a money request's time be over, and waits until the worker has seen it. */
export async function expireMoneyRequest(database: Database, referenceId: string): Promise<void> {
  const moneyRequests = database.collection('moneyRequests');
  await moneyRequests.updateOne({ referenceId }, { $set: { expiresAt: new Date() } });
  await makeJobDue(database, 'requestMoney.expire');
  await until(
    'the expiry',
    async () => (await moneyRequests.countDocuments({ referenceId, status: 'cancelled' })) === 1,
  );
}
