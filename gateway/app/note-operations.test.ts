import { expect, test } from '@jest/globals';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { OperationNote, RequestContext } from '../../subgraphs/kernel/principal.ts';
import { noteOperations } from './note-operations.ts';

/** The note of an operation with this result. */
async function noteOf(
  result: ExecutionResult,
  { isMutation = true, name = 'Revoke', document = 'mutation Revoke { none }', variables = {} } = {},
) {
  let ends = 0;
  const note: OperationNote = {
    isMutation,
    subjects: [],
    onEnd: () => {
      ends += 1;
    },
  };
  const context: RequestContext = { principal: null, requestId: 'r-1', note };
  const info = { document, operationName: name, variables, isTrusted: false };
  await noteOperations().onOperation?.(info, context, async () => result);
  const { onEnd: _, ...noted } = note;
  return { ...noted, ends };
}

test.each<[string, ExecutionResult, string | undefined]>([
  ['nothing', { data: { revokeLink: { link: { id: 'lnk_1' }, userErrors: [] } } }, undefined],
  [
    'a code',
    { data: { revokeLink: { link: null, userErrors: [{ code: 'LINK_NOT_FOUND' }] } } },
    'LINK_NOT_FOUND',
  ],
  [
    'an issue whose code the client did not ask for',
    { data: { revokeLink: { userErrors: [{ message: 'There is no such link.' }] } } },
    'BAD_USER_INPUT',
  ],
  ['an error', { errors: [new GraphQLError('No.', { extensions: { code: 'FORBIDDEN' } })] }, 'FORBIDDEN'],
  ['an error without a code', { errors: [new GraphQLError('Oops.')] }, 'INTERNAL_SERVER_ERROR'],
])('a mutation that ends with %s is noted so, once', async (_name, result, code) => {
  expect(await noteOf(result)).toMatchObject({ code, operationName: 'Revoke', ends: 1 });
});

test('the records of a mutation are noted, those of a query are not', async () => {
  const result = { data: { one: { link: { id: 'lnk_1' }, userErrors: [] } } };
  expect((await noteOf(result)).subjects).toEqual(['lnk_1']);
  expect((await noteOf(result, { isMutation: false })).subjects).toEqual([]);
});

test("a client's name that is too long is cut", async () => {
  expect((await noteOf({ data: {} }, { name: 'n'.repeat(5_000) })).operationName).toHaveLength(100);
});

test('the records that a mutation names are noted also when it fails and its payload shows no id', async () => {
  const document = 'mutation Revoke($key: ID!) { revokeApiKey(input: { id: $key }) { userErrors { code } } }';
  const result = { data: { revokeApiKey: { userErrors: [{ code: 'API_KEY_NOT_FOUND' }] } } };
  const variables = { key: 'key_1' };
  expect((await noteOf(result, { document, variables })).subjects).toEqual(['key_1']);
  expect((await noteOf({ errors: [new GraphQLError('Oops.')] }, { document, variables })).subjects).toEqual([
    'key_1',
  ]);
});
