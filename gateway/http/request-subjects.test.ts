import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, type GraphQLType, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import {
  CHANGES_FIRST_ENDPOINT,
  createSubjectsOfFields,
  ID_FIELDS,
  subjectsOfBody,
  subjectsOfParams,
  subjectsOfPayloads,
  subjectsOfVariables,
} from './request-subjects.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('The records that a request is about', () => {
  test("are read from its path, except for a user's token", () => {
    expect(subjectsOfParams({ referenceId: 'AB12cd34', userToken: 'usr_1' })).toEqual(['AB12cd34']);
    expect(subjectsOfParams(undefined)).toEqual([]);
  });

  test('are read from the variables of its operation, or from their input', () => {
    expect(
      subjectsOfVariables({ id: 'o1', input: { linkId: 'lnk_1', request: { correlationId: 'c1' } } }),
    ).toEqual(['o1', 'lnk_1', 'c1']);
    expect(subjectsOfVariables({ input: { requestData: { userReferenceId: 'u-77' } } })).toEqual(['u-77']);
    expect(subjectsOfVariables(null)).toEqual([]);
  });

  test('are read from its body, if that is JSON and not large', () => {
    expect(subjectsOfBody(bytes({ referenceId: 'AB12cd34', request: { correlationId: 'c1' } }))).toEqual([
      'AB12cd34',
      'c1',
    ]);
    const requester = (userReferenceId: string) =>
      subjectsOfBody(bytes({ referenceId: 'AB12cd34', requestData: { userReferenceId } }));
    expect(requester('u-77')).toEqual(['AB12cd34', 'u-77']);
    expect(requester('+52 55 1234 5678')).toEqual(['AB12cd34']);
    expect(subjectsOfBody(Buffer.from('{'))).toEqual([]);
    expect(subjectsOfBody(bytes({ referenceId: 'AB12cd34', more: 'x'.repeat(65_536) }))).toEqual([]);
    expect(subjectsOfBody({ referenceId: 'AB12cd34' })).toEqual([]);
  });

  test('are no credentials', () => {
    expect(subjectsOfParams({ referenceId: 'raas_live_7RsAcEd3kTqVb9xY', userId: 'usr_1' })).toEqual([
      'usr_1',
    ]);
  });

  test('are read from the payloads of a mutation', () => {
    expect(
      subjectsOfPayloads({
        a: { remittance: { correlationId: 'c1', user: { id: 'usr_1' } }, userErrors: [] },
        b: { link: { id: 'lnk_1' }, userErrors: null },
        c: null,
      }),
    ).toEqual(['c1', 'lnk_1']);
  });

  test.each([
    ['a name', 'Ana Ruiz'],
    ['an email', 'ana@ruiz.test'],
    ['a phone', '+5255123'],
    ['a number of 10 digits', '55-1234-5678'],
    ['a text', 'x'.repeat(129)],
    ['an object', { id: 'x' }],
    ['nothing', ''],
  ])('are no %s that stands in the place of an id', (_what, id) => {
    expect(subjectsOfParams({ id })).toEqual([]);
  });

  test('are found quickly for every id', () => {
    const ids = [`${'1'.repeat(30)}a`, `${'1-'.repeat(30)}a`];
    const before = process.cpuUsage().user;
    expect(ids.flatMap((id) => subjectsOfParams({ id }))).toEqual(ids);
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  });
});

describe('The records that the arguments of a mutation name', () => {
  const subjectsOf = (
    document: string,
    variables: Record<string, unknown> | null = null,
    operationName?: string,
  ) => createSubjectsOfFields()({ document, operationName, variables });

  test.each<[string, string, Record<string, unknown> | null, string[]]>([
    ['a literal', 'mutation { revokeApiKey(input: { id: "key_1" }) { x } }', null, ['key_1']],
    [
      'a variable of any name',
      'mutation($k: ID!) { revokeApiKey(input: { id: $k }) { x } }',
      { k: 'key_1' },
      ['key_1'],
    ],
    [
      'an input of any name',
      'mutation($a: In!) { blockUser(input: $a) { x } }',
      { a: { userId: 'usr_1' } },
      ['usr_1'],
    ],
    ['a default', 'mutation($k: ID = "key_1") { revokeApiKey(input: { id: $k }) { x } }', {}, ['key_1']],
    [
      'fragments, several fields and aliases',
      'mutation { ...F ... { c: f(id: "o-3") { x } } } fragment F on Mutation { a: f(id: "o-1") { x } f(input: { request: { correlationId: "o-2" } }) { x } }',
      null,
      ['o-1', 'o-2', 'o-3'],
    ],
    [
      'nothing that is no id',
      'mutation { f(name: "Ana", id: "Ana Ruiz", input: { id: 7 }) { x } }',
      null,
      [],
    ],
  ])('are read from %s', (_where, document, variables, subjects) => {
    expect(subjectsOf(document, variables)).toEqual(subjects);
  });

  test('are those of the operation that has run', () => {
    const document = 'mutation A { f(id: "a-1") { x } } mutation B { f(id: "b-1") { x } }';
    expect(subjectsOf(document, null, 'B')).toEqual(['b-1']);
  });

  test('are the first endpoint for the mutations that change it unless they name another', () => {
    expect(subjectsOf('mutation { regenerateWebhookSecret { x } }')).toEqual(['first']);
    expect(subjectsOf('mutation { updateWebhookConfig(input: { webhookSecret: null }) { x } }')).toEqual([
      'first',
    ]);
    const rotate = 'mutation($input: In) { rotateWebhookSecret(input: $input) { x } }';
    expect(subjectsOf(rotate, { input: {} })).toEqual(['first']);
    expect(subjectsOf(rotate, { input: { endpointId: 'we_1' } })).toEqual(['we_1']);
  });
});

test('every mutation names its record in its arguments or payload, or changes the first endpoint', () => {
  const sdl = readFileSync('schema/api.graphql', 'utf8');
  const schema = buildSchema(sdl);
  const namesIn = (type: GraphQLType): string[] => {
    const named = getNamedType(type);
    return isInputObjectType(named) || isObjectType(named) ? Object.keys(named.getFields()) : [];
  };
  const nameless = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
    ({ name, args, type }) => {
      const payload = getNamedType(type);
      const values = isObjectType(payload) ? Object.values(payload.getFields()) : [];
      const names = [...args.map((arg) => arg.type), ...values.map((value) => value.type)].flatMap(namesIn);
      return !CHANGES_FIRST_ENDPOINT.has(name) && !ID_FIELDS.some((field) => names.includes(field));
    },
  );
  // A quote is no record, and an account has one sandbox.
  expect(nameless.map(({ name }) => name)).toEqual([
    ...['advanceSandboxClock', 'preQuoteLite', 'resetSandbox'],
  ]);
});
