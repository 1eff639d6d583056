import { mongo } from 'mongoose';
import { isRecord } from '../../subgraphs/kernel/objects.ts';
import type { Document } from './format.ts';
import { type Entities, findMismatch } from './match.ts';

const COUNTS = ['insertedCount', 'matchedCount', 'modifiedCount', 'deletedCount', 'upsertedCount'] as const;

/** A result of the driver in the form of the specification. */
export function toResult(result: unknown): unknown {
  if (isBulkResult(result)) {
    const { insertedIds, upsertedIds } = result;
    return { ...countsOf(result), insertedIds, upsertedIds };
  }
  if (!isRecord(result) || Array.isArray(result)) {
    return result;
  }
  const entries = Object.entries(result).flatMap(([name, value]): [string, unknown][] => {
    if (value instanceof Map) {
      return [[name, Object.fromEntries([...value].map(([key, one]) => [key, toResult(one)]))]];
    }
    // The driver has a field of its own, and says null for a missing id.
    const isOwn = name === 'didUpsert' || (name === 'upsertedId' && value === null);
    return isOwn ? [] : [[name, value]];
  });
  return Object.getPrototypeOf(result) === Object.prototype ? Object.fromEntries(entries) : result;
}

/** The driver exports its class as a type only. */
function isBulkResult(result: unknown): result is mongo.BulkWriteResult {
  return typeof result === 'object' && result !== null && 'getUpsertedIdAt' in result;
}

function countsOf(result: mongo.BulkWriteResult): Document {
  return Object.fromEntries(COUNTS.map((name) => [name, result[name]]));
}

/** Compares an error with an expectation of the unified test format. @returns the first difference */
export function findErrorMismatch(
  expected: Document,
  error: unknown,
  entities: Entities,
): string | undefined {
  const text = error instanceof Error ? error.message : String(error);
  const isOfServer = error instanceof mongo.MongoServerError;
  const { code, codeName } = isOfServer ? error : { code: undefined, codeName: undefined };
  const has = (label: string) => error instanceof mongo.MongoError && error.hasErrorLabel(label);
  const contains = expected.errorContains?.toLowerCase();
  const faults = [
    expected.isClientError === true && isOfServer && `an error of the server: ${text}`,
    expected.isClientError === false && !isOfServer && `no error of the server: ${text}`,
    contains !== undefined && !text.toLowerCase().includes(contains) && `the message "${text}"`,
    expected.errorCode !== undefined && expected.errorCode !== code && `the code ${code}: ${text}`,
    expected.errorCodeName !== undefined &&
      expected.errorCodeName !== codeName &&
      `the code ${codeName}: ${text}`,
    ...(expected.errorLabelsContain ?? []).map(
      (label: string) => !has(label) && `no label ${label}: ${text}`,
    ),
    ...(expected.errorLabelsOmit ?? []).map((label: string) => has(label) && `the label ${label}: ${text}`),
    partialMismatch(expected, error, entities),
  ];
  return faults.find((fault): fault is string => typeof fault === 'string');
}

/** Bulk writes that fail have the result so far. */
function partialMismatch(expected: Document, error: unknown, entities: Entities): string | undefined {
  if (expected.expectResult === undefined) {
    return undefined;
  }
  const partial =
    error instanceof mongo.MongoBulkWriteError
      ? error.result
      : error instanceof mongo.MongoClientBulkWriteError
        ? error.partialResult
        : undefined;
  return findMismatch(expected.expectResult, toResult(partial), entities);
}
