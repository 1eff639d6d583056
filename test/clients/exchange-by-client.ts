import { isDeepStrictEqual } from 'node:util';
import { LosslessNumber, parse } from 'lossless-json';
import type { Exchange, RawResponse } from '../support/http.ts';
import { describeCall } from '../support/rest-clients/described-call.ts';
import type { ClientProgram, ProgramAnswer } from './client-program.ts';
import type { RecordingProxy } from './recording-proxy.ts';

/**
 * Makes requests by a client in another language. Each must send the same JSON, and must show the answer of the server with all
 * its digits, or the code of its error.
 * @returns the answers as the server gave them
 */
export function exchangeByClient(program: ClientProgram, proxy: RecordingProxy): Exchange {
  return async (request) => {
    const call = describeCall(request);
    if (call === undefined || Object.keys(call.query).length > 0) {
      throw new TypeError(`The program cannot make ${request.method} ${request.path}`);
    }
    const { operation, key, path, idempotencyKey = '', body = '' } = call;
    const [id = ''] = Object.values(path);
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
