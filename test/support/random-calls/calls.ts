import { deepStrictEqual } from 'node:assert/strict';
import type { RawResponse } from '../http.ts';
import { queryGraph } from '../money-requests.ts';
import { INTERNAL_KEY } from '../seed.ts';
import type { Model, World } from './model.ts';

/** A call by REST: with the account's key, or with the platform's where the path is internal. */
export function rest(
  { exchange }: World,
  { key }: Model,
  [method, path]: readonly [method: string, path: string],
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  const credentials = path.startsWith('/v1/internal/')
    ? { 'X-Internal-Key': INTERNAL_KEY }
    : { 'X-API-Key': key };
  return exchange({
    method,
    path,
    headers: { 'Content-Type': 'application/json', ...credentials, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The data of a query or mutation. @throws for an answer with errors */
export async function graph<Data>(
  { exchange }: World,
  { key }: Model,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  const answer = await queryGraph<Data>(exchange, query, variables, key);
  if (answer.errors || !answer.data) {
    throw new Error(`${query}: ${JSON.stringify(answer)}`);
  }
  return answer.data;
}

/** Checks the status and some members of an answer. @returns the whole body */
export function checkAnswer<Body extends object>(
  { status, text }: RawResponse,
  expected: number,
  members: Partial<Body> = {},
): Body {
  const body = JSON.parse(text) as Body;
  const found = Object.fromEntries(Object.keys(members).map((name) => [name, body[name as keyof Body]]));
  deepStrictEqual([status, found, text], [expected, members, text]);
  return body;
}
