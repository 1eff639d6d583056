import { isDeepStrictEqual } from 'node:util';
import { LosslessNumber, parse } from 'lossless-json';
import { openApiDocuments } from '../../rest-compat/openapi.ts';
import type { Exchange, RawRequest, RawResponse } from '../support/http.ts';
import type { ClientProgram, ProgramAnswer } from './client-program.ts';
import type { RecordingProxy } from './recording-proxy.ts';

const OPERATIONS = Object.values(openApiDocuments()).flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`),
      operation: operationId,
    })),
  ),
);

/**
 * Makes requests by a client in another language. Each must send the same JSON, and must show the answer of the server with all
 * its digits, or the code of its error.
 * @returns the answers as the server gave them
 */
export function exchangeByClient(program: ClientProgram, proxy: RecordingProxy): Exchange {
  return async (request) => {
    const { operation, id } = operationOf(request);
    const { key, idempotencyKey } = readHeaders(request);
    const body = String(request.body ?? '');
    proxy.take();
    const answer = await program.call({ operation, id, key, idempotencyKey, body });
    const [exchanged, ...others] = proxy.take();
    if (exchanged === undefined || others.length > 0) {
      throw new Error(`The client made ${exchanged ? 'several requests' : 'no request'}: ${answer.message}`);
    }
    if (body !== '') {
      requireEqual('sent', plain(parse(exchanged.body)), plain(parse(body)));
    }
    checkAnswer(answer, exchanged.response);
    return exchanged.response;
  };
}

function operationOf({ method, path }: RawRequest) {
  const found = OPERATIONS.find((one) => one.method === method && one.path.test(path));
  if (found?.operation === undefined) {
    throw new TypeError(`No document has ${method} ${path}`);
  }
  const [, id = ''] = found.path.exec(path) ?? [];
  return { operation: found.operation, id };
}

/** @throws for a header that a client does not set */
function readHeaders({ headers = {} }: RawRequest) {
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  values.delete('content-type');
  const key = values.get('x-api-key') ?? '';
  const idempotencyKey = values.get('idempotency-key') ?? '';
  values.delete('x-api-key');
  values.delete('idempotency-key');
  if (values.size > 0 || key === '') {
    throw new TypeError(`A client does not send ${[...values.keys()]}, and sends a key`);
  }
  return { key, idempotencyKey };
}

function checkAnswer(answer: ProgramAnswer, { status, headers, text }: RawResponse): void {
  const body = plain(parse(text)) as { error?: { code?: string }; message?: string };
  if (status < 300) {
    requireEqual('got', plain(answer.value), body);
  } else {
    const code = body.error?.code ?? headers['x-error-code'];
    requireEqual('error', { status: answer.status, code: answer.code }, { status, code });
  }
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * JSON as clients keep it: numbers by their digits, times as moments. A member that is null is left out, as by clients that
 * cannot distinguish it from a missing one.
 */
function plain(value: unknown): unknown {
  if (value instanceof LosslessNumber) {
    return `number ${value}`;
  }
  if (typeof value === 'string' && TIME.test(value)) {
    return new Date(value).toISOString();
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== null);
    return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
  }
  return value;
}

function requireEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`${what}: ${JSON.stringify(actual)}\nexpected: ${JSON.stringify(expected)}`);
  }
}
