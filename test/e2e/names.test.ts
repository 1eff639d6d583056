import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { buildTestApp } from '../support/test-app.ts';

const scene = useScene();
let exchange: Exchange;
let userId: string;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const app = await buildTestApp(env);
  scene.atEnd(app.close);
  exchange = injectInto(app.app);
  const made = await send<{ user: { id: string } }>('registerUser', 'RegisterUserInput', REQUESTER);
  userId = made.user.id;
});

interface Payload {
  readonly userErrors: readonly { readonly code: string; readonly path: readonly string[] | null }[];
}

async function send<Made = object>(field: string, type: string, input: object): Promise<Payload & Made> {
  const made = field === 'registerUser' ? 'user { id }' : '';
  const document = `mutation ($input: ${type}!) { ${field}(input: $input) { ${made} userErrors { code path } } }`;
  const answer = await queryGraph<Record<string, Payload & Made>>(exchange, document, { input });
  expect(answer.errors).toBeUndefined();
  return answer.data?.[field] as Payload & Made;
}

const REQUESTER = {
  phoneNumber: '+525512345601',
  firstName: 'Ana',
  lastName: 'Ruiz',
  address1: 'Reforma 1',
  countryCode: 'MX',
  city: 'Ciudad de México',
  state: 'CMX',
};
const PAYER = { phoneNumber: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
const CARD = {
  type: 'DEBIT_CARD',
  number: '4111111111111111',
  nameOnCard: 'Ana Ruiz',
  expirationDate: '1239',
  country: 'MX',
  currency: 'MXN',
};
const SUM = { recipientAmount: '20', recipientCurrency: 'MXN' };
const moneyRequest = (change: object) => ({
  referenceId: newReference(),
  amount: '20',
  currency: 'MXN',
  requestData: {
    userReferenceId: 'u-1',
    name: { firstName: 'Ana', lastName: 'Ruiz' },
    address: { country: 'MX', state: 'CDMX' },
    payoutMethod: 'CASH',
    cash: { provider: 'OXXO' },
    ...change,
  },
});
const atomicCall = (requester: object, requestTo: object, method: object) => ({
  requester: { ...REQUESTER, ...requester },
  request: {
    ...SUM,
    correlationId: newReference(),
    requestTo: { ...PAYER, ...requestTo },
    destinationPaymentMethod: { ...CARD, ...method },
  },
});
const link = (userData: object, referenceId = 'u-2') => ({ flow: 'CIP', referenceId, userData });

/** Each name of each mutation: its input with the name, and the code and the path of its error. */
type Field = [
  field: string,
  type: string,
  code: string,
  path: readonly string[],
  input: (name: string) => object,
];
const FIELDS: readonly Field[] = [
  ...['firstName', 'lastName', 'lastName2', 'middleName'].map(
    (name): Field => [
      'registerUser',
      'RegisterUserInput',
      'INVALID_NAME',
      [name],
      (text) => ({ ...REQUESTER, [name]: text }),
    ],
  ),
  ...['firstName', 'lastName'].map(
    (name): Field => [
      'createContact',
      'CreateContactInput',
      'INVALID_NAME',
      [name],
      (text) => ({ userId, ...PAYER, [name]: text }),
    ],
  ),
  [
    'addCard',
    'AddCardInput',
    'INVALID_NAME',
    ['nameOnCard'],
    (nameOnCard) => ({ userId, ...CARD, nameOnCard }),
  ],
  [
    'requestMoneyV2',
    'RequestMoneyV2Input',
    'INVALID_NAME',
    ['destinationPaymentMethod', 'nameOnCard'],
    (nameOnCard) => ({
      userId,
      requestTo: PAYER.phoneNumber,
      correlationId: newReference(),
      ...SUM,
      destinationPaymentMethod: { ...CARD, nameOnCard },
    }),
  ],
  ...['firstName', 'lastName', 'lastName2', 'middleName'].map(
    (name): Field => [
      'requestMoneyFull',
      'RequestMoneyFullInput',
      'INVALID_NAME',
      ['requester', name],
      (text) => atomicCall({ [name]: text }, {}, {}),
    ],
  ),
  ...['firstName', 'lastName'].map(
    (name): Field => [
      'requestMoneyFull',
      'RequestMoneyFullInput',
      'INVALID_NAME',
      ['request', 'requestTo', name],
      (text) => atomicCall({}, { [name]: text }, {}),
    ],
  ),
  [
    'requestMoneyFull',
    'RequestMoneyFullInput',
    'INVALID_NAME',
    ['request', 'destinationPaymentMethod', 'nameOnCard'],
    (nameOnCard) => atomicCall({}, {}, { nameOnCard }),
  ],
  ...['firstName', 'lastName', 'secondName', 'secondLastName'].map(
    (name): Field => [
      'createRequestMoney',
      'CreateRequestMoneyInput',
      'VALIDATION_FAILED',
      ['requestData', 'name', name],
      (text) => moneyRequest({ name: { firstName: 'Ana', lastName: 'Ruiz', [name]: text } }),
    ],
  ),
  [
    'createRequestMoney',
    'CreateRequestMoneyInput',
    'VALIDATION_FAILED',
    ['requestData', 'userReferenceId'],
    (userReferenceId) => moneyRequest({ userReferenceId }),
  ],
  [
    'createRequestMoney',
    'CreateRequestMoneyInput',
    'VALIDATION_FAILED',
    ['requestData', 'cash', 'provider'],
    (provider) => moneyRequest({ cash: { provider } }),
  ],
  [
    'createRequestMoney',
    'CreateRequestMoneyInput',
    'VALIDATION_FAILED',
    ['requestData', 'card', 'nameOnCard'],
    (nameOnCard) => moneyRequest({ payoutMethod: 'CARD', card: { number: CARD.number, nameOnCard } }),
  ],
  ...['firstName', 'lastName', 'secondName', 'secondLastName'].map(
    (name): Field => [
      'createLink',
      'CreateLinkInput',
      'INVALID_REQUEST',
      ['userData', 'name', name],
      (text) => link({ name: { firstName: 'Ana', lastName: 'Ruiz', [name]: text } }),
    ],
  ),
  [
    'createLink',
    'CreateLinkInput',
    'INVALID_REQUEST',
    ['referenceId'],
    (referenceId) => link({}, referenceId),
  ],
  [
    'createLink',
    'CreateLinkInput',
    'INVALID_REQUEST',
    ['userData', 'paymentMethod', 'cash', 'provider'],
    (provider) => link({ paymentMethod: { cash: { provider } } }),
  ],
];

describe('Names in the graph', () => {
  test.each(FIELDS)('%s(input: %s) answers %s at %j', async (field, type, code, path, input) => {
    for (const name of ['\u200b', '\u3164\u2800', '\u0301', '\u202eAna']) {
      const { userErrors } = await send(field, type, input(name));
      expect([name, userErrors]).toEqual([name, [{ code, path }]]);
    }
  });

  test.each(FIELDS)('%s(input: %s) answers %s to NUL and to half of a character', async (...all) => {
    const [field, type, code, , input] = all;
    for (const name of ['An\0a', 'Ana\ud800']) {
      const { userErrors } = await send(field, type, input(name));
      expect([name, userErrors.map((error) => error.code)]).toEqual([name, [code]]);
    }
  });

  test('a label of a key shows something too', async () => {
    for (const label of ['\u200b', 'a\0', '\u202eback end']) {
      const input = { scopes: ['partner'], label };
      const { userErrors } = await send('createApiKey', 'CreateApiKeyInput', input);
      expect([label, userErrors]).toEqual([label, [{ code: 'INVALID_REQUEST', path: ['label'] }]]);
    }
  });
});
