import { setTimeout as delay } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { messageOf } from '../../subgraphs/kernel/errors/thrown.ts';
import { EntityMap } from './entities.ts';
import type { CollectionData, Operation, Requirement, SpecFile, SpecTest } from './format.ts';
import { findMismatch } from './match.ts';
import { isKnown, perform } from './operations.ts';
import { findErrorMismatch, toResult } from './results.ts';

/** The outcome of a test. */
export interface Outcome {
  readonly file: string;
  readonly test: string;
  readonly result: 'passed' | 'different' | 'left out';
  /** The difference, or the reason for which it was left out. */
  readonly reason?: string;
}

/** Tests that ask nothing of a server: the driver answers them otherwise than its specification. */
const OF_DRIVER =
  /^partialResult is unset |^inserting _id with type null via (?:insert|bulk|clientB)|^client bulkWrite with writeConcern in a transaction causes a transaction error$/;

const TEST_MS = 20_000;

/** The server that tests run on, as it says itself. */
interface SpecServer {
  readonly uri: string;
  /** Such as `8.2.11`. */
  readonly version: string;
}

/**
 * Runs the tests of a file, one after the other. They judge a server: events of the driver are not compared, and tests that need
 * fail points or several members are left out.
 */
export async function runFile(file: SpecFile, server: SpecServer): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const test of file.tests) {
    const leftOut = reasonToLeaveOut(file, test, server);
    const ended = leftOut === undefined ? await runTest(file, test, server) : leftOut;
    const result = leftOut === undefined ? (ended === undefined ? 'passed' : 'different') : 'left out';
    outcomes.push({
      file: file.name,
      test: test.description,
      result,
      ...(ended !== undefined && { reason: ended }),
    });
  }
  return outcomes;
}

function reasonToLeaveOut(file: SpecFile, test: SpecTest, server: SpecServer): string | undefined {
  if (test.skipReason !== undefined) {
    return 'the specification skips it';
  }
  if (test.operations.some(({ name }) => /failPoint/i.test(name))) {
    return 'it needs fail points';
  }
  if (OF_DRIVER.test(test.description)) {
    return 'it judges the driver alone';
  }
  const unmet = [file.runOnRequirements, test.runOnRequirements].find(
    (requirements) => requirements && !requirements.some((one) => isMet(one, server)),
  );
  if (unmet !== undefined) {
    return unmet.every(({ topologies }) => topologies && !topologies.includes('replicaset'))
      ? 'it needs routers or load balancers'
      : 'it is for other versions, or for users with passwords';
  }
  const unknown = test.operations.find((operation) => !isKnown(operation));
  return unknown && `the runner has no operation ${unknown.name}`;
}

function isMet(
  { minServerVersion, maxServerVersion, topologies, auth }: Requirement,
  { version }: SpecServer,
): boolean {
  return (
    (minServerVersion === undefined || compare(version, minServerVersion) >= 0) &&
    (maxServerVersion === undefined || compare(version, maxServerVersion) <= 0) &&
    (topologies === undefined || topologies.includes('replicaset')) &&
    auth !== true
  );
}

/** Compares as many parts as the second one has. */
function compare(one: string, other: string): number {
  const parts = one.split('.').map(Number);
  const index = other.split('.').findIndex((part, place) => Number(part) !== parts[place]);
  return index === -1 ? 0 : Number(parts[index]) - Number(other.split('.')[index]);
}

/** @returns the difference; undefined when there is none */
async function runTest(file: SpecFile, test: SpecTest, { uri }: SpecServer): Promise<string | undefined> {
  const entities = new EntityMap(uri);
  const own = new mongo.MongoClient(uri);
  try {
    const timeUp = delay(TEST_MS, `it did not end within ${TEST_MS / 1_000} s`, { ref: false });
    return await Promise.race([runSteps(file, test, own, entities), timeUp]);
  } catch (error) {
    return messageOf(error);
  } finally {
    await entities.close();
    await own.close();
  }
}

async function runSteps(
  file: SpecFile,
  test: SpecTest,
  own: mongo.MongoClient,
  entities: EntityMap,
): Promise<string | undefined> {
  for (const data of file.initialData ?? []) {
    await prepare(own, data);
  }
  entities.create(file.createEntities ?? []);
  for (const operation of test.operations) {
    const difference = await runOperation(operation, entities);
    if (difference !== undefined) {
      return `${operation.name}: ${difference}`;
    }
  }
  for (const { databaseName, collectionName, documents } of test.outcome ?? []) {
    const left = await own.db(databaseName).collection(collectionName).find().sort({ _id: 1 }).toArray();
    const difference = findMismatch(documents, left, entities.all, '', false);
    if (difference !== undefined) {
      return `documents left: ${difference}`;
    }
  }
  return undefined;
}

async function prepare(
  own: mongo.MongoClient,
  { databaseName, collectionName, documents, createOptions = {} }: CollectionData,
): Promise<void> {
  const database = own.db(databaseName);
  await database.dropCollection(collectionName).catch((error: unknown) => {
    if (!(error instanceof mongo.MongoServerError && error.codeName === 'NamespaceNotFound')) {
      throw error;
    }
  });
  const { writeConcern: _, ...options } = createOptions;
  const collection = await database.createCollection(collectionName, options);
  if (documents.length > 0) {
    await collection.insertMany([...documents], { writeConcern: { w: 'majority' } });
  }
}

async function runOperation(operation: Operation, entities: EntityMap): Promise<string | undefined> {
  const { expectError, expectResult, ignoreResultAndError, saveResultAsEntity } = operation;
  let result: unknown;
  try {
    result = await perform(entities, operation);
  } catch (error) {
    if (ignoreResultAndError) {
      return undefined;
    }
    return expectError ? findErrorMismatch(expectError, error, entities.all) : messageOf(error);
  }
  if (saveResultAsEntity !== undefined) {
    entities.all.set(saveResultAsEntity, result);
  }
  if (expectError !== undefined && !ignoreResultAndError) {
    return `it succeeded, and should fail with ${JSON.stringify(expectError)}`;
  }
  return expectResult === undefined ? undefined : findMismatch(expectResult, toResult(result), entities.all);
}
