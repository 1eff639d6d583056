import { setTimeout as delay } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { type EntityMap, toOptions } from './entities.ts';
import type { Document, Operation } from './format.ts';

type Perform<Kind> = (target: Kind, given: Document, options: Document) => unknown;

const COLLECTION: Readonly<Record<string, Perform<mongo.Collection>>> = {
  aggregate: (on, { pipeline }, options) => on.aggregate(pipeline, options).toArray(),
  bulkWrite: (on, { requests }, options) => on.bulkWrite(requests.map(toRequest), options),
  countDocuments: (on, { filter }, options) => on.countDocuments(filter, options),
  createChangeStream: (on, { pipeline }, options) => openStream(on.watch(pipeline, options)),
  createIndex: (on, { keys }, options) => on.createIndex(keys, options),
  deleteMany: (on, { filter }, options) => on.deleteMany(filter, options),
  deleteOne: (on, { filter }, options) => on.deleteOne(filter, options),
  distinct: (on, { fieldName, filter }, options) => on.distinct(fieldName, filter ?? {}, options),
  dropIndex: (on, { name }, options) => on.dropIndex(name, options),
  estimatedDocumentCount: (on, _given, options) => on.estimatedDocumentCount(options),
  find: (on, { filter }, options) => on.find(filter, options).toArray(),
  findOne: (on, { filter }, options) => on.findOne(filter, options),
  findOneAndDelete: (on, { filter }, options) => on.findOneAndDelete(filter, options),
  findOneAndReplace: (on, { filter, replacement }, options) =>
    on.findOneAndReplace(filter, replacement, options),
  findOneAndUpdate: (on, { filter, update }, options) => on.findOneAndUpdate(filter, update, options),
  insertMany: (on, { documents }, options) => on.insertMany(documents, options),
  insertOne: (on, { document }, options) => on.insertOne(document, options),
  rename: (on, { to }, options) => on.rename(to, options),
  replaceOne: (on, { filter, replacement }, options) => on.replaceOne(filter, replacement, options),
  updateMany: (on, { filter, update }, options) => on.updateMany(filter, update, options),
  updateOne: (on, { filter, update }, options) => on.updateOne(filter, update, options),
};

const DATABASE: Readonly<Record<string, Perform<mongo.Db>>> = {
  aggregate: (on, { pipeline }, options) => on.aggregate(pipeline, options).toArray(),
  createChangeStream: (on, { pipeline }, options) => openStream(on.watch(pipeline, options)),
  createCollection: (on, { collection }, options) => on.createCollection(collection, options),
  dropCollection: (on, { collection }, options) => on.dropCollection(collection, options),
  modifyCollection: (on, { collection, session: _, ...changes }) =>
    on.command({ collMod: collection, ...changes }),
  runCommand: (on, { command }, { session, readPreference }) =>
    on.command(command, { ...(session && { session }), ...(readPreference && { readPreference }) }),
};

const CLIENT: Readonly<Record<string, Perform<mongo.MongoClient>>> = {
  clientBulkWrite: (on, { models }, options) => on.bulkWrite(models.map(toModel), options),
  createChangeStream: (on, { pipeline }, options) => openStream(on.watch(pipeline, options)),
};

const SESSION: Readonly<Record<string, Perform<mongo.ClientSession>>> = {
  abortTransaction: (on) => on.abortTransaction(),
  commitTransaction: (on) => on.commitTransaction(),
  endSession: (on) => on.endSession(),
  startTransaction: (on, _given, options) => on.startTransaction(options),
};

const STREAM: Readonly<Record<string, Perform<mongo.ChangeStream>>> = {
  close: (on) => on.close(),
  iterateUntilDocumentOrError: (on) => on.next(),
};

/** Operations of the runner itself that judge a driver, not a server. */
const OF_DRIVERS = new Set(['assertSessionPinned', 'assertSessionUnpinned', 'assertSessionTransactionState']);

const RUNNER: Readonly<Record<string, (entities: EntityMap, given: Document) => unknown>> = {
  createEntities: (entities, given) => entities.create(given.entities),
  assertCollectionExists: (entities, given) => assertNamed(entities, given, 'collections', true),
  assertCollectionNotExists: (entities, given) => assertNamed(entities, given, 'collections', false),
  assertIndexExists: (entities, given) => assertNamed(entities, given, 'indexes', true),
  assertIndexNotExists: (entities, given) => assertNamed(entities, given, 'indexes', false),
};

const ALL = [COLLECTION, DATABASE, CLIENT, SESSION, STREAM, RUNNER];

/** Whether this runner can do an operation, as far as its name says. */
export function isKnown({ name }: Operation): boolean {
  return OF_DRIVERS.has(name) || ALL.some((operations) => Object.hasOwn(operations, name));
}

/** Does an operation. @returns its result, in the form of the driver @throws its error */
export async function perform(entities: EntityMap, operation: Operation): Promise<unknown> {
  const { name, object, arguments: given = {} } = operation;
  if (object === 'testRunner') {
    return OF_DRIVERS.has(name) ? undefined : RUNNER[name]?.(entities, given);
  }
  const target = entities.all.get(object);
  const options = optionsOf(entities, given);
  const called =
    callOn(target, mongo.Collection, COLLECTION, name, given, options) ??
    callOn(target, mongo.Db, DATABASE, name, given, options) ??
    callOn(target, mongo.MongoClient, CLIENT, name, given, options) ??
    callOn(target, mongo.ClientSession, SESSION, name, given, options) ??
    callOn(target, mongo.ChangeStream, STREAM, name, given, options);
  if (called === undefined) {
    throw new TypeError(`${name} is no operation of ${object}`);
  }
  return await called.result;
}

function callOn<Kind>(
  target: unknown,
  kind: abstract new (...args: never) => Kind,
  operations: Readonly<Record<string, Perform<Kind>>>,
  name: string,
  given: Document,
  options: Document,
): { readonly result: unknown } | undefined {
  const operation = operations[name];
  return target instanceof kind && operation ? { result: operation(target, given, options) } : undefined;
}

/** Arguments that are no options, by their names. */
const NO_OPTIONS = new Set([
  ...['document', 'documents', 'filter', 'update', 'replacement', 'pipeline', 'requests', 'models'],
  ...['fieldName', 'keys', 'command', 'commandName', 'collection', 'to', 'session'],
]);

function optionsOf(entities: EntityMap, given: Document): Document {
  const options = Object.fromEntries(Object.entries(given).filter(([name]) => !NO_OPTIONS.has(name)));
  const session =
    given.session === undefined ? {} : { session: entities.get(given.session, mongo.ClientSession) };
  return { ...toOptions(options), ...session };
}

function toRequest(request: Document): mongo.AnyBulkWriteOperation {
  // The cast: a request has the driver's own form.
  return request as mongo.AnyBulkWriteOperation;
}

function toModel(model: Document): mongo.AnyClientBulkWriteModel<Document> {
  const [[name, details] = ['', {}]] = Object.entries(model);
  // The cast: a model has the driver's own form, but for the place of its name.
  return { name, ...details } as mongo.AnyClientBulkWriteModel<Document>;
}

/** The server must have opened it before the next operation. */
async function openStream(stream: mongo.ChangeStream): Promise<mongo.ChangeStream> {
  await stream.tryNext();
  return stream;
}

const SETTLE_MS = 20;

async function assertNamed(
  entities: EntityMap,
  { databaseName, collectionName, indexName }: Document,
  kind: 'collections' | 'indexes',
  isWanted: boolean,
): Promise<void> {
  const client = [...entities.all.values()].find((entity) => entity instanceof mongo.MongoClient);
  if (client === undefined) {
    throw new TypeError('There is no client');
  }
  await delay(SETTLE_MS);
  const database = client.db(databaseName);
  const collections = await database.listCollections({ name: collectionName }, { nameOnly: true }).toArray();
  const isThere =
    kind === 'collections' || collections.length === 0
      ? collections.length > 0
      : (await database.collection(collectionName).indexes()).some(({ name }) => name === indexName);
  if (isThere !== isWanted) {
    throw new Error(`${indexName ?? collectionName} is ${isThere ? 'there' : 'not there'}`);
  }
}
