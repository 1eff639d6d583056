import { createHash } from 'node:crypto';
import { type Connection, mongo } from 'mongoose';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import { until } from '../until.ts';

/** Collections whose documents are of no tenant. */
const SHARED: ReadonlySet<string> = new Set([
  'agendaJobs',
  'eventHeads',
  'eventLog',
  'fxRates',
  'keyFingerprints',
  'leases',
  'migrations',
  'platformSamples',
  'processes',
  'rateLimits',
  'routes',
]);

type Document = Readonly<Record<string, unknown>> & { readonly _id: unknown };

/**
 * A digest of each document of a tenant by collection and id, once all of its events and journal entries have their places. The state of an
 * endpoint that got a webhook counts only if it says more than figures: servers make these every few seconds.
 */
export async function digestsOf(database: Connection, accountId: AccountId): Promise<Record<string, string>> {
  for (const name of ['events', 'journalEntries']) {
    const pending = { accountId, pending: true };
    await until(
      `places of all ${name}`,
      async () => (await database.collection(name).countDocuments(pending)) === 0,
    );
  }
  const receivers: unknown[] = await database
    .collection('webhookDeliveries')
    .distinct('endpoint', { accountId });
  const digests: [string, string][] = [];
  for (const { name } of await database.listCollections()) {
    for (const document of await database.collection(name).find().toArray()) {
      const isLate = receivers.includes(document._id) && hasFiguresOnly(document);
      if (isOf(document, accountId) && !isLate) {
        const hash = createHash('sha256')
          .update(mongo.BSON.serialize(withoutFigures(document)))
          .digest('hex');
        digests.push([`${name} ${String(document._id)}`, hash]);
      }
    }
  }
  return Object.fromEntries(digests);
}

/** Whether it is the state of an endpoint that says nothing but its figures. */
function hasFiguresOnly({ breaker, holds }: Document): boolean {
  const isClosed =
    typeof breaker === 'object' && breaker !== null && 'state' in breaker && breaker.state === 'CLOSED';
  return isClosed && Array.isArray(holds) && holds.length === 0;
}

/** Without the figures of an endpoint and the last use of a credential, which are saved some time after the act. */
function withoutFigures({
  lastUsedAt: _used,
  minutes: _minutes,
  hours: _hours,
  lastSuccessAt: _success,
  lastError: _error,
  ...rest
}: Document): object {
  return rest;
}

/** Collections with documents of which it is not known whose they are. */
export async function unownedIn(database: Connection, accountIds: readonly AccountId[]): Promise<string[]> {
  const names = (await database.listCollections())
    .map(({ name }) => name)
    .filter((name) => !SHARED.has(name));
  const unowned: string[] = [];
  for (const name of names) {
    const documents = await database.collection(name).find().toArray();
    if (documents.some((document) => !accountIds.some((accountId) => isOf(document, accountId)))) {
      unowned.push(name);
    }
  }
  return unowned;
}

/** How many documents of a tenant a collection has. */
export async function countOf(
  database: Connection,
  collection: string,
  accountId: AccountId,
): Promise<number> {
  return database.collection(collection).countDocuments({ accountId });
}

function isOf({ _id, accountId }: Document, wanted: string): boolean {
  return accountId === wanted || _id === wanted || String(_id).startsWith(`${wanted}|`);
}
