/**
 * The other side of `npm run bench:webhooks`: the bare driver with the product's writes and bare posts of undici. It seals,
 * signs, guards and logs nothing, has no leases and no quotas. It obeys the orders of a webhook worker: `store` stores one
 * delivery with its event, posts and records it; `work` does so with all that is pending.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mongo } from 'mongoose';
import { Agent } from 'undici';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import type { NewDelivery } from '../../../subgraphs/webhooks/queue.ts';
import type { Order, WorkerSettings } from '../../support/webhook-worker/orders.ts';
import { send } from '../../support/webhook-worker/words.ts';

/** As many as the product lets run at once for one tenant. */
const AT_ONCE = 16;
const PAGE = 1_000;
/** Outcomes in one transaction, at most: as of the product. */
const LARGEST_BATCH = 64;
const BODY = Buffer.from(JSON.stringify({ event: 'operation_created', data: { referenceId: randomUUID() } }));

interface Stored {
  readonly _id: string;
  readonly accountId: AccountId;
}

const { uri, caFile } = JSON.parse(process.env.WEBHOOK_WORKER ?? '') as WorkerSettings;
const client = await mongo.MongoClient.connect(uri, { writeConcern: { w: 'majority', journal: true } });
const deliveries = client.db().collection<Stored & mongo.Document>('webhookDeliveries');
const attempts = client.db().collection('webhookAttempts');
const events = client.db().collection('events');
const agent = new Agent({
  connect: { ca: readFileSync(caFile, 'utf8') },
  connections: AT_ONCE,
  pipelining: 1,
});
const finished: { readonly one: Stored; readonly done: () => void }[] = [];
let isRecording = false;

process.on('message', (order: Order) => {
  void obey(order).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(1));
send({ kind: 'ready' });

async function obey(order: Order): Promise<void> {
  if (order.kind === 'store') {
    await Promise.all(order.deliveries.map(storeAndPost));
  } else if (order.kind === 'work') {
    await postPending();
  } else if (order.kind === 'stop') {
    await agent.destroy();
    await client.close();
    process.exit(0);
  }
}

async function storeAndPost({ accountId, url, event, scheme }: NewDelivery): Promise<void> {
  const one = { _id: randomUUID(), accountId };
  const now = new Date();
  const delivery = {
    ...one,
    event,
    scheme,
    endpoint: url,
    shard: 0,
    status: 'PENDING',
    nextAttemptAt: now,
    version: 1,
    attempt: 0,
    earlierAttempts: 0,
    claims: 1,
    leaseToken: randomUUID(),
    url: randomBytes(80),
    secret: randomBytes(60),
    body: randomBytes(BODY.length + 40),
    createdAt: now,
  };
  await inTransaction(async (session) => {
    await deliveries.insertOne(delivery, { session });
    await events.insertOne(eventOf(one, 1, 'PENDING'), { session });
  });
  send({ kind: 'stored', ids: [one._id], at: performance.timeOrigin + performance.now() });
  await post(one, url);
}

/** Page by page, so many at once. */
async function postPending(): Promise<void> {
  const url = process.env.BARE_URL ?? '';
  while (true) {
    const page = await deliveries
      .find({ status: 'PENDING' }, { projection: { accountId: 1 } })
      .limit(PAGE)
      .toArray();
    if (page.length === 0) {
      return;
    }
    const next = page.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of next) {
          await post(one, url);
        }
      }),
    );
  }
}

async function post(one: Stored, url: string): Promise<void> {
  const { origin, pathname } = new URL(url);
  const { body } = await agent.request({
    origin,
    path: pathname,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-delivery-id': one._id },
    body: BODY,
  });
  await body.dump();
  await new Promise<void>((done) => {
    finished.push({ one, done });
    void record();
  });
}

/** Group commit, as of the product. */
async function record(): Promise<void> {
  if (isRecording) {
    return;
  }
  isRecording = true;
  while (finished.length > 0) {
    const batch = finished.splice(0, LARGEST_BATCH);
    await inTransaction((session) =>
      writeOutcomes(
        batch.map(({ one }) => one),
        session,
      ),
    );
    for (const { done } of batch) {
      done();
    }
  }
  isRecording = false;
}

async function writeOutcomes(all: readonly Stored[], session: mongo.ClientSession): Promise<void> {
  const at = new Date();
  const set = { status: 'DELIVERED', version: 2, attempt: 1, claims: 0, finishedAt: at, lastStatusCode: 204 };
  await deliveries.bulkWrite(
    all.map(({ _id }) => ({
      updateOne: { filter: { _id }, update: { $set: set, $unset: { leaseToken: 1, lastError: 1 } } },
    })),
    { session },
  );
  const answer = randomBytes(28);
  await attempts.insertMany(
    all.map(({ _id: deliveryId, accountId }) => ({
      _id: `${deliveryId}:1` as never,
      deliveryId,
      accountId,
      number: 1,
      at,
      ms: 50,
      statusCode: 204,
      answer,
    })),
    { session },
  );
  await events.insertMany(
    all.map((one) => eventOf(one, 2, 'DELIVERED')),
    { session },
  );
}

function eventOf({ _id: entityId, accountId }: Stored, version: number, status: string): mongo.Document {
  return {
    accountId,
    entity: 'webhookDelivery',
    entityId,
    version,
    type: 'webhook_delivery.status_changed',
    previousStatus: null,
    status,
    data: { event: 'operation_created' },
    occurredAt: new Date(),
    pending: true,
  };
}

function inTransaction(work: (session: mongo.ClientSession) => Promise<void>): Promise<void> {
  return client.withSession((session) =>
    session.withTransaction(() => work(session), { writeConcern: { w: 'majority' } }),
  );
}
