import type { mongo } from 'mongoose';
import { groupItems } from '../../../../subgraphs/kernel/objects.ts';
import { expectEqual, expectThat } from '../check.ts';
import type { FollowedChange } from './follower.ts';
import type { Ledger } from './ledger.ts';
import type { Stage } from './stage.ts';

/** A load that has settled: the answers of its calls, and the database and the receiver that it has left. */
export interface Settled {
  readonly db: mongo.Db;
  readonly stage: Pick<Stage, 'accountId' | 'webhooks' | 'invalidWebhook' | 'errors'>;
  readonly ledger: Ledger;
  /** Changes of money requests that the partner has followed live. */
  readonly followed: readonly FollowedChange[];
  /** The same changes, read again from the log afterwards. */
  readonly replayed: readonly FollowedChange[];
  /** How often a call was sent again, because it had no answer, or 503. */
  readonly repeats: number;
}

/** Every accepted create is stored once, with the status that its caller knows, and there is no other. */
export async function judgeStored({ db, stage: { accountId }, ledger }: Settled): Promise<string> {
  const stored = await db
    .collection('moneyRequests')
    .find({ accountId }, { projection: { referenceId: 1, status: 1 } })
    .toArray();
  const references = new Set(stored.map(({ referenceId }) => String(referenceId)));
  expectEqual(
    'Stored money requests with distinct references',
    [stored.length, references.size],
    [ledger.accepted.size, ledger.accepted.size],
  );
  const missing = [...ledger.accepted.keys()].filter((reference) => !references.has(reference));
  expectEqual('Accepted, and not stored', missing, []);
  const wrong = stored.filter(
    ({ referenceId, status }) => status !== (ledger.cancelled.has(referenceId) ? 'cancelled' : 'pending'),
  );
  expectEqual('Money requests with another status than their caller knows', wrong.length, 0);
  const keys = await db.collection('idempotencyKeys').countDocuments();
  expectEqual('Idempotency keys', keys, ledger.accepted.size);
  return `${stored.length} money requests, ${ledger.cancelled.size} of them cancelled`;
}

/** Each accepted atomic call has become one remittance that succeeded, with one operation. */
export async function judgeAtomicCalls({ db, stage: { accountId }, ledger }: Settled): Promise<string> {
  const remittances = await db
    .collection('remittances')
    .find({ accountId }, { projection: { correlationId: 1, status: 1 } })
    .toArray();
  const succeeded = remittances.filter(({ status }) => status === 'SUCCEEDED');
  const operations = await db
    .collection('operations')
    .find({ accountId }, { projection: { operationId: 1 } })
    .toArray();
  const wanted = [...ledger.atomic].toSorted();
  expectEqual(
    'Succeeded of the remittances',
    [succeeded.length, remittances.length],
    [wanted.length, wanted.length],
  );
  expectEqual('Their ids', succeeded.map(({ correlationId }) => correlationId).toSorted(), wanted);
  expectEqual('Ids of operations', operations.map(({ operationId }) => operationId).toSorted(), wanted);
  return `${succeeded.length} remittances, with an operation each`;
}

/** The answers were those of the contract: repeats had the first answer, and other bodies were refused. */
export async function judgeAnswers({ ledger, repeats, stage }: Settled): Promise<string> {
  const { differences, accepted, sentAgain, sentOther } = ledger;
  expectThat(
    differences.length === 0,
    `${differences.length} wrong answers, the first: ${differences[0]}. The server logged ${stage.errors.length} errors${stage.errors[0] ? `, the first: ${stage.errors[0]}` : ''}`,
  );
  expectThat(
    accepted.size > 0 && sentAgain > 0 && sentOther > 0,
    'The load was too short: not every kind of call was made',
  );
  return `${accepted.size} creates; ${sentAgain} repeats with the same answer; ${sentOther} other bodies refused; ${repeats} calls sent again without an answer, or after 503`;
}

/** Each webhook that was stored has arrived, and each create and cancel has one. */
export async function judgeWebhooks({ db, stage, ledger }: Settled): Promise<string> {
  const deliveries = await db
    .collection<{ _id: string; status: string }>('webhookDeliveries')
    .find({ accountId: stage.accountId }, { projection: { status: 1 } })
    .toArray();
  expectEqual('The first webhook with a wrong signature', stage.invalidWebhook() ?? null, null);
  const undelivered = deliveries.filter(({ status }) => status !== 'DELIVERED');
  expectEqual('Webhooks that were not delivered', undelivered.length, 0);
  const ids = new Set(deliveries.map(({ _id }) => _id));
  expectEqual(
    'Webhooks stored and received',
    [ids.size, stage.webhooks.size],
    [stage.webhooks.size, ids.size],
  );
  expectEqual(
    'Received and not stored',
    [...stage.webhooks.keys()].filter((id) => !ids.has(id)),
    [],
  );
  const created = referencesOf(stage, 'operation_created');
  const without = [...ledger.accepted.keys()].filter((reference) => !created.includes(reference));
  expectEqual('Creates without their webhook', without, []);
  expectEqual('Webhooks of creates', created.length, ledger.accepted.size);
  const updated = referencesOf(stage, 'operation_updated');
  expectEqual('Webhooks of cancels', updated.toSorted(), [...ledger.cancelled].toSorted());
  return `${ids.size} delivered, ${created.length} of creates, ${updated.length} of cancels`;
}

function referencesOf({ webhooks }: Settled['stage'], wanted: string): string[] {
  return [...webhooks.values()].flatMap(({ event, referenceId }) =>
    event === wanted && referenceId !== undefined ? [referenceId] : [],
  );
}

/** Each partition of the event log has a number for each event, without gaps, and each version of a money request is there once. */
export async function judgeEvents({ db, ledger }: Settled): Promise<string> {
  const events = await db
    .collection('events')
    .find({}, { projection: { partition: 1, seq: 1, entity: 1, entityId: 1, version: 1 } })
    .toArray();
  const heads = await db.collection('eventHeads').find({}).toArray();
  const ends = new Map(heads.map(({ _id, lastSeq }) => [Number(_id), Number(lastSeq)]));
  for (const [partition, ofPartition] of groupItems(events, (event) => Number(event.partition))) {
    const numbers = ofPartition.map(({ seq }) => Number(seq)).toSorted((one, other) => one - other);
    const gap = numbers.findIndex((number, index) => number !== index + 1);
    expectThat(gap === -1, `The number ${gap + 1} of partition ${partition} is missing, or there twice`);
    expectEqual(`The last number of partition ${partition}`, ends.get(partition), numbers.length);
  }
  const changes = ledger.accepted.size + ledger.cancelled.size;
  const ofMoneyRequests = events.filter(({ entity }) => entity === 'requestMoney');
  const distinct = new Set(ofMoneyRequests.map(({ entityId, version }) => `${entityId}|${version}`));
  expectEqual(
    'Events of money requests, and distinct versions',
    [ofMoneyRequests.length, distinct.size],
    [changes, changes],
  );
  return `${events.length} events, numbered without gaps`;
}

/** The partner has received each change of its money requests live, once and in order; and again from the log afterwards. */
export async function judgeFollowed({ ledger, followed, replayed }: Settled): Promise<string> {
  for (const changes of [followed, replayed]) {
    const byReference = new Map<string, string[]>();
    for (const { referenceId, status } of changes) {
      byReference.set(referenceId, [...(byReference.get(referenceId) ?? []), status]);
    }
    const wrong = [...ledger.accepted.keys()].flatMap((reference) => {
      const statuses = byReference.get(reference) ?? [];
      const wanted = ledger.cancelled.has(reference) ? ['PENDING', 'CANCELLED'] : ['PENDING'];
      return statuses.join() === wanted.join() ? [] : [`${reference}: ${statuses.join(', ') || 'none'}`];
    });
    expectEqual('Money requests with other live statuses', wrong, []);
    expectEqual('Live events', changes.length, ledger.accepted.size + ledger.cancelled.size);
  }
  return `${followed.length} events live, and as many from the log, in order for each money request`;
}
