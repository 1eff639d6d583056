import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { mongo } from 'mongoose';

/**
 * The other side of `npm run bench:rest`, in a process of its own: bare Fastify routes on the bare driver that do the
 * product's reads and writes and nothing else: no key, no rules, no encryption, no graph, no signing, no logging.
 *
 * Its environment: `PORT`; `BARE_URI` is the product's database; `BARE_COPIES` names another one on the same store, which gets
 * the collections and indexes that a create writes to.
 */
const { PORT, BARE_URI = '', BARE_COPIES = '' } = process.env;

/** Where a create of the product writes one document each (with an Idempotency-Key, for a tenant with a webhook). */
const WRITTEN = ['moneyRequests', 'idempotencyKeys', 'events', 'webhookDeliveries'] as const;

const client = await mongo.MongoClient.connect(BARE_URI, {
  writeConcern: { w: 'majority', journal: true },
});
const product = client.db();
const copies = client.db(BARE_COPIES);
const samples = await copySamples();
const answers = new Map<string, Buffer>();

async function copySamples(): Promise<Record<string, mongo.Document>> {
  const found: Record<string, mongo.Document> = {};
  for (const name of [...WRITTEN, 'users']) {
    const [latest] = await product
      .collection(name)
      .find()
      .sort({ createdAt: -1, occurredAt: -1 })
      .limit(1)
      .toArray();
    if (!latest) {
      throw new Error(`The product has written nothing to ${name}`);
    }
    found[name] = latest;
    await copies.createCollection(name);
    for (const { v: _, ...index } of await product.collection(name).indexes()) {
      if (index.name !== '_id_') {
        const { key, ...options } = index;
        await copies.collection(name).createIndex(key, options);
      }
    }
  }
  await copies.collection('users').insertOne({ ...found.users });
  return found;
}

/** The product's document of each collection, as large as it is there, under keys of its own. */
function newDocuments(
  referenceId: string,
  idempotencyKey: string,
): Record<(typeof WRITTEN)[number], mongo.Document> {
  const { moneyRequests, idempotencyKeys, events = {}, webhookDeliveries } = samples;
  const { seq: _seq, keptUntil: _keptUntil, ...event } = events;
  const createdAt = new Date();
  return {
    moneyRequests: {
      ...moneyRequests,
      _id: `req_${randomUUID().slice(0, 20)}` as never,
      referenceId,
      createdAt,
    },
    idempotencyKeys: { ...idempotencyKeys, _id: `acme|${idempotencyKey}` as never, createdAt },
    events: {
      ...event,
      _id: new mongo.ObjectId(),
      entityId: referenceId,
      pending: true,
      occurredAt: createdAt,
    },
    webhookDeliveries: { ...webhookDeliveries, _id: randomUUID() as never, createdAt },
  };
}

const app = Fastify();

/** One read by the same index as the product's, then the product's bytes. */
app.get<{ Params: { referenceId: string } }>('/v1/request-money/:referenceId', async (request, reply) => {
  const { referenceId } = request.params;
  const found = await product.collection('moneyRequests').findOne({ accountId: 'acme/sandbox', referenceId });
  const body = found === null ? undefined : answers.get(referenceId);
  return reply
    .code(body ? 200 : 404)
    .header('content-type', 'application/json')
    .send(body);
});

/** The bytes that lookups are to answer, by reference: given before the measurement. */
app.put<{ Params: { referenceId: string }; Body: { text: string } }>(
  '/answers/:referenceId',
  (request, reply) => {
    answers.set(request.params.referenceId, Buffer.from(request.body.text));
    reply.code(204).send();
  },
);

/** Two reads, then one transaction with a read and four inserts, as a create of the product. */
app.post<{ Body: { referenceId: string } }>('/v1/request-money', async (request, reply) => {
  const { referenceId } = request.body;
  const idempotencyKey = String(request.headers['idempotency-key']);
  await copies
    .collection('moneyRequests')
    .findOne({ accountId: 'acme/sandbox', referenceId }, { projection: { _id: 1 } });
  await copies.collection<{ _id: string }>('idempotencyKeys').findOne({ _id: `acme|${idempotencyKey}` });
  const documents = newDocuments(referenceId, idempotencyKey);
  await client.withSession((session) =>
    session.withTransaction(
      async () => {
        const user = { accountId: 'acme/sandbox', referenceId: 'u-77' };
        await copies.collection('users').findOne(user, { projection: { blocked: 1 }, session });
        for (const name of WRITTEN) {
          await copies.collection(name).insertOne(documents[name], { session });
        }
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } },
    ),
  );
  const body = answers.get('create');
  return reply.code(201).header('content-type', 'application/json').send(body);
});

process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => client.close())
    .then(() => process.exit(0));
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
