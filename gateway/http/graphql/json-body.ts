import type { FastifyInstance } from 'fastify';
import { ENCODED_BODY, isEncoded } from '../../../subgraphs/kernel/http/content-encoding.ts';
import { findDuplicateKey } from '../../../subgraphs/kernel/json/scan-json.ts';
import { badRequest, type HttpFailure } from './request.ts';

/** A body that was not read. */
export class UnreadBodyError extends Error {
  override readonly name = 'UnreadBodyError';
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

const ENCODED: HttpFailure = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: ENCODED_BODY };
const NOT_TEXT = badRequest('The request body must be JSON, in UTF-8.');

function findKeyFailure(text: string): HttpFailure | undefined {
  const key = findDuplicateKey(text);
  return key === undefined
    ? undefined
    : badRequest(`The request body has ${key} more than once in an object.`);
}

/**
 * Reads the JSON bodies of this scope. A body that is encoded, one that is not UTF-8 and one with an object that has a
 * key more than once fail with {@link UnreadBodyError}.
 */
export function readJsonBodies(scope: FastifyInstance): void {
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    if (isEncoded(request)) {
      done(new UnreadBodyError(ENCODED));
    } else {
      done(null, payload);
    }
  });
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(body);
    const failure = text === undefined ? NOT_TEXT : findKeyFailure(text);
    if (text === undefined || failure !== undefined) {
      done(new UnreadBodyError(failure ?? NOT_TEXT));
    } else {
      // It answers by `done`; only its type knows promises.
      void parse(request, text, done);
    }
  });
}

function decode(body: string | Buffer): string | undefined {
  try {
    return typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
