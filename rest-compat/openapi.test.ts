import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify from 'fastify';
import { CATALOGUE } from '../subgraphs/kernel/errors/catalogue.ts';
import type { ObjectSchema } from '../subgraphs/kernel/json/json-schema.ts';
import { openApiDocuments, openApiRoutes } from './openapi.ts';
import { type OpenApiDocument, type OpenApiOperation, refTo } from './shared/openapi/document.ts';
import { withExamples } from './shared/openapi/examples.ts';

const {
  '/v1/user/openapi.json': remittance,
  '/v1/openapi.json': requestMoney,
  '/partner/openapi.json': partner,
} = openApiDocuments();

const known = new Map<OpenApiDocument, Ajv2020>();

/** Compiles a schema that may refer to the named schemas of its document. */
function compile(document: OpenApiDocument, schema: object) {
  const { components } = document;
  const ajv =
    known.get(document) ??
    new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: 'document', components });
  known.set(document, ajv);
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object);
}

function validatorOf(document: OpenApiDocument, name: string) {
  return compile(document, refTo(name));
}

type Content = Readonly<
  Record<string, { schema: object; examples?: Readonly<Record<string, { value: unknown }>> }>
>;

describe.each([
  ['document 1', remittance],
  ['document 2', requestMoney],
  ['document 3', partner],
])('the OpenAPI description of %s', (_name, document) => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(result).toMatchObject({ valid: true });
  });

  test('names each call once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
  });

  test('has a valid example of every body, answer and event', () => {
    const events = Object.entries(document.webhooks);
    const contents: [string, Content | undefined][] = [
      ...operations.flatMap(({ operationId, requestBody, responses }): [string, Content | undefined][] => [
        ...(requestBody ? [[operationId, requestBody.content] as [string, Content]] : []),
        ...Object.entries(responses)
          .filter(([status]) => !['304', '408'].includes(status))
          .map(([status, { content }]) => [`${operationId} ${status}`, content] as [string, Content]),
      ]),
      ...events.map(([name, { post }]) => [name, post.requestBody.content] as [string, Content]),
    ];
    const wrong = contents.flatMap(([where, content]) => {
      const { schema = {}, examples = {} } = Object.values(content ?? {})[0] ?? {};
      const validate = compile(document, schema);
      const named = Object.entries(examples);
      return named.length === 0
        ? [`${where} has no example`]
        : named.flatMap(([name, { value }]) =>
            validate(value) ? [] : [`${where} ${name}: ${JSON.stringify(validate.errors)}`],
          );
    });
    expect(wrong).toEqual([]);
  });

  test('declares 401, 429, 500 and 503 for every call', () => {
    for (const { operationId, responses } of operations) {
      for (const status of ['401', '429', '500', '503']) {
        expect([operationId, Object.keys(responses)]).toEqual([
          operationId,
          expect.arrayContaining([status]),
        ]);
      }
      expect(responses['429']?.headers).toHaveProperty('retry-after');
      expect(responses['503']?.headers).toHaveProperty('retry-after');
    }
  });

  test('shows the message of every call while the database is unreachable', () => {
    const shown = operations.map(({ responses }) => JSON.stringify(responses['503']?.content));
    expect(shown.filter((text) => !text.includes(CATALOGUE.SERVICE_UNAVAILABLE.message))).toEqual([]);
  });

  test('accepts the key of a partner in either header', () => {
    const headers = Object.values(document.components.securitySchemes).map(
      (scheme) => (scheme as { name: string }).name,
    );
    expect(headers).toEqual(expect.arrayContaining(['api_key', 'X-API-Key']));
    const secured = operations.map(({ security }) => JSON.stringify(security));
    const either = JSON.stringify([{ apiKey: [] }, { apiKeyAlias: [] }]);
    expect(secured.filter((one) => one !== either && one !== '[{"internalKey":[]}]')).toEqual([]);
  });

  test('refers only to its own schemas, and uses each of them', () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });
});

describe('the body of a create', () => {
  const validate = validatorOf(requestMoney, 'CreateRequestMoney');
  const body = (change: object = {}, data: object = {}) => ({
    referenceId: 'AB12cd34',
    amount: 10.5,
    currency: 'MXN',
    requestData: {
      userReferenceId: 'u-1',
      name: { firstName: 'Ana', lastName: 'Ruiz' },
      address: { country: 'MX' },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: '12 ab' },
      ...data,
    },
    ...change,
  });

  test.each([
    ['as documented', body()],
    ['the legacy alias', body({}, { bankAccount: { number: 'x' } })],
    ['cash', body({}, { payoutMethod: 'cash', cash: { provider: 'Elektra' }, bankAccount: 'not looked at' })],
    ['a card', body({}, { payoutMethod: 'card', card: { number: '4111 1111 1111 1111' } })],
    ['unknown properties', body({ more: 1 }, { more: 1 })],
    ['a short life', body({ expiresInMinutes: 1 })],
  ])('accepts %s', (_what, value) => {
    expect(validate(value) ? [] : validate.errors).toEqual([]);
  });

  test.each([
    ['a short reference', body({ referenceId: 'AB12cd3' })],
    ['an amount of 0', body({ amount: 0 })],
    ['an amount as text', body({ amount: '10' })],
    ['too long a life', body({ expiresInMinutes: 43_201 })],
    ['half a minute', body({ expiresInMinutes: 0.5 })],
    ['an account number of 35', body({}, { bankAccount: { accountNumber: 'A'.repeat(35) } })],
    ['no account number', body({}, { bankAccount: { bankCode: '1' } })],
    ['no object of the method', body({}, { payoutMethod: 'cash' })],
    ['another method', body({}, { payoutMethod: 'cheque' })],
    ['recipientReferenceId', body({ recipientReferenceId: 'u-1' })],
    ['no name', body({}, { name: undefined })],
  ])('rejects %s', (_what, value) => {
    expect(validate(JSON.parse(JSON.stringify(value)))).toBe(false);
  });
});

describe('the body of the atomic call', () => {
  const validate = validatorOf(remittance, 'RequestMoneyFull');
  const card = {
    type: 'DebitCard',
    number: '4111 1111 1111 1111',
    nameOnCard: 'Ana Ruiz',
    expirationDate: '1230',
    country: 'MX',
    currency: 'MXN',
  };
  const body = (change: object = {}, method: object = card) => ({
    requester: {
      phoneNumber: '+525512345678',
      firstName: 'Ana',
      lastName: 'Ruiz',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'CMX',
    },
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: 10.5,
      destinationPaymentMethod: method,
      correlationId: 'corr-1',
      requestTo: { phoneNumber: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
    },
    ...change,
  });

  test.each([
    ['a card', body()],
    ['a bank account', body({}, { type: 'UBN', number: '0321', country: 'MX', currency: 'MXN' })],
    ['cash without a currency', body({}, { type: 'CashPickup', country: 'MX' })],
    ['unknown properties of the method', body({}, { ...card, more: 1 })],
  ])('accepts %s', (_what, value) => {
    expect(validate(value) ? [] : validate.errors).toEqual([]);
  });

  test.each([
    ['an unknown property', body({ more: 1 })],
    ['no requester', body({ requester: undefined })],
    ['another method', body({}, { ...card, type: 'Cheque' })],
    ['a card without a name', body({}, { ...card, nameOnCard: undefined })],
    ['an account without a number', body({}, { type: 'UBN', country: 'MX', currency: 'MXN' })],
    ['an account without a currency', body({}, { type: 'UBN', number: '1', country: 'MX' })],
    ['a method without a country', body({}, { type: 'CashPickup' })],
  ])('rejects %s', (_what, value) => {
    expect(validate(JSON.parse(JSON.stringify(value)))).toBe(false);
  });
});

describe('generated clients see', () => {
  const { schemas } = requestMoney.components;
  const properties = (schema: object | undefined) => (schema as ObjectSchema).properties;

  test.each([
    ['bank_account', 'BankAccountRequestData', 'bankAccount', 'BankAccountPayout', 'accountNumber'],
    ['card', 'CardRequestData', 'card', 'CardPayout', 'nameOnCard'],
    ['cash', 'CashRequestData', 'cash', 'CashPayout', 'provider'],
  ])('the object of %s as a property', (method, data, property, payout, field) => {
    const { requestData } = properties(schemas.CreateRequestMoney);
    expect(requestData).toMatchObject({ discriminator: { mapping: { [method]: refTo(data).$ref } } });
    expect(properties(schemas[data])[property]).toEqual(refTo(payout));
    expect(properties(schemas[payout])).toHaveProperty(field);
  });
});

test('every internal call is described', () => {
  const internal = Object.entries(requestMoney.paths)
    .filter(([path]) => path.startsWith('/v1/internal/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  expect(internal.sort()).toEqual([
    'patch /v1/internal/operations/{operationId}/status',
    'patch /v1/internal/remittances/status',
    'patch /v1/internal/users/{userId}/cip',
    'post /v1/internal/data-requests',
    'post /v1/internal/links/{linkId}/open',
  ]);
});

test('each description is served at its path, the same bytes each time', async () => {
  const app = Fastify();
  await app.register(openApiRoutes);
  for (const [url, document] of Object.entries(openApiDocuments())) {
    for (let time = 1; time <= 2; time += 1) {
      const { statusCode, headers, body } = await app.inject({ method: 'GET', url });
      expect([statusCode, headers['content-type']]).toEqual([200, 'application/json']);
      expect(body).toBe(JSON.stringify(document));
    }
  }
  await app.close();
});

test('examples without a call and calls without examples are errors', () => {
  const operation: OpenApiOperation = {
    operationId: 'a',
    summary: 'A',
    tags: [],
    security: [],
    responses: {},
  };
  const paths = { '/a': { get: operation } };
  expect(() => withExamples(paths, {}, {})).toThrow('a has no examples');
  expect(() => withExamples(paths, { a: { answers: {} }, b: { answers: {} } }, {})).toThrow(
    'No call is named b',
  );
});
