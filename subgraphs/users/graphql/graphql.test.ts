import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordQueries } from '../../../test/support/query-shapes.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import {
  ACCOUNT,
  acme,
  type Bench,
  CARD,
  createBench,
  FRIEND,
  globex,
  newPerson,
  registrationOf,
  START,
} from '../testing.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
});
afterAll(() => store.close());

const USER =
  'user { id phoneNumber email dob gender country firstName secondName lastName secondLastName cipStatus }';
const ERRORS = 'userErrors { code message path }';
const REGISTER = `mutation ($input: RegisterUserInput!) { registerUser(input: $input) { ${USER} ${ERRORS} } }`;
const METHOD = 'paymentMethod { id type number country currency isPrimary createdAt }';
const CONTACT =
  'contact { id phoneNumber firstName lastName email country requests lastRequestedAt createdAt registeredUser { id } }';

/** The one field of an answer without errors. */
async function execute(
  document: string,
  variables?: Record<string, unknown>,
  by = acme,
): Promise<Record<string, unknown>> {
  const answer = await bench.execute(document, variables, by);
  expect(answer.errors).toBeUndefined();
  return Object.values(answer.data ?? {})[0] as Record<string, unknown>;
}
const codeOf = async (document: string, variables?: Record<string, unknown>, by = acme) =>
  (await bench.execute(document, variables, by)).errors?.[0]?.extensions.code;

describe('mutations', () => {
  test('registerUser takes an input, and its JSON for REST', async () => {
    const person = newPerson();
    const input = registrationOf({
      ...person,
      gender: 'FEMALE',
      lang: 'ES',
      latitude: 19.4,
      longitude: -99,
      zipCode: null,
    });
    expect(await execute(REGISTER, { input })).toEqual({
      user: {
        id: expect.stringMatching(/^usr_/),
        ...person,
        dob: '1990-02-28',
        gender: 'FEMALE',
        country: 'MX',
        firstName: 'Ana',
        secondName: null,
        lastName: 'Ruiz',
        secondLastName: null,
        cipStatus: 'PENDING',
      },
      userErrors: [],
    });
    const [user] = await bench.deps.users
      .findByPhones('acme/sandbox', [person.phoneNumber])
      .then((found) => [...found.values()]);
    expect(user?.profile).toMatchObject({ gender: 'Female', lang: 'es', latitude: 19.4, longitude: -99 });
    expect(user?.profile).not.toHaveProperty('zipCode');

    const fromJson = `mutation ($body: String!) { registerUserFromJson(body: $body) { ${USER} ${ERRORS} } }`;
    const body = JSON.stringify(registrationOf({ ...person, phoneNumber: newPerson().phoneNumber }));
    expect(await execute(fromJson, { body })).toEqual({
      user: null,
      userErrors: [
        {
          code: 'ERROR_REQUEST_MONEY_FULL',
          message: 'email is already used by another user',
          path: ['email'],
        },
      ],
    });
    for (const broken of ['{', '', 'null']) {
      expect(await execute(fromJson, { body: broken })).toMatchObject({
        user: null,
        userErrors: [{ code: 'ERROR_REQUEST_MONEY_FULL' }],
      });
    }
  });

  test('createContact, addCard and addUbn do, too', async () => {
    const userId = await bench.newUser();
    const contact = {
      id: expect.stringMatching(/^con_/),
      phoneNumber: FRIEND.phoneNumber,
      firstName: 'Luis',
      lastName: 'Ortega',
      email: FRIEND.email,
      country: 'US',
      requests: 0,
      lastRequestedAt: null,
      createdAt: START.toISOString(),
      registeredUser: null,
    };
    const typed = `mutation ($input: CreateContactInput!) { createContact(input: $input) { ${CONTACT} ${ERRORS} } }`;
    const made = await execute(typed, { input: { userId, ...FRIEND } });
    expect(made).toEqual({ contact, userErrors: [] });
    const json = `mutation ($userToken: ID!, $body: String!) { createContactFromJson(userToken: $userToken, body: $body) { ${CONTACT} ${ERRORS} } }`;
    expect(await execute(json, { userToken: userId, body: JSON.stringify(FRIEND) })).toEqual(made);

    const card = `mutation ($input: AddCardInput!) { addCard(input: $input) { ${METHOD} ${ERRORS} } }`;
    const added = await execute(card, { input: { userId, ...CARD, type: 'DEBIT_CARD' } });
    expect(added).toEqual({
      paymentMethod: {
        id: expect.stringMatching(/^pm_/),
        type: 'DEBIT_CARD',
        number: expect.stringMatching(/^tok_[0-9a-f]{16}_1111$/),
        country: 'MX',
        currency: 'MXN',
        isPrimary: true,
        createdAt: START.toISOString(),
      },
      userErrors: [],
    });
    const cardJson = `mutation ($userToken: ID!, $body: String!) { addCardFromJson(userToken: $userToken, body: $body) { ${METHOD} ${ERRORS} } }`;
    expect(await execute(cardJson, { userToken: userId, body: JSON.stringify(CARD) })).toEqual(added);
    expect(await execute(card, { input: { userId, ...CARD, type: 'CASH_PICKUP' } })).toMatchObject({
      paymentMethod: null,
      userErrors: [{ code: 'ERROR_PAYMENT_METHOD_NOT_FOUND', path: ['type'] }],
    });

    const ubn = `mutation ($input: AddUbnInput!) { addUbn(input: $input) { ${METHOD} ${ERRORS} } }`;
    const account = await execute(ubn, { input: { userId, ...ACCOUNT } });
    expect(account).toMatchObject({
      paymentMethod: { type: 'UBN', number: ACCOUNT.number, isPrimary: false },
    });
    const ubnJson = `mutation ($userToken: ID!, $body: String!) { addUbnFromJson(userToken: $userToken, body: $body) { ${METHOD} ${ERRORS} } }`;
    expect(await execute(ubnJson, { userToken: userId, body: JSON.stringify(ACCOUNT) })).toEqual(account);
    expect(await execute(ubnJson, { userToken: 'usr_none', body: JSON.stringify(ACCOUNT) })).toMatchObject({
      paymentMethod: null,
      userErrors: [{ code: 'ERROR_SUBSCRIBER_NOT_FOUND' }],
    });
  });
});

describe('a user', () => {
  test('has contacts, frequent ones and payout methods', async () => {
    const userId = await bench.newUser();
    await bench.service.createContact(acme, userId, FRIEND);
    const contact = await bench.service.createContact(acme, userId, {
      ...FRIEND,
      phoneNumber: '+13125550199',
    });
    await bench.service.addUbn(acme, userId, ACCOUNT);
    await bench.transaction((unit) =>
      bench.port.countRequest(
        {
          accountId: 'acme/sandbox',
          userId,
          contactId: contact.ok ? contact.value.contactId : '',
          at: START,
        },
        unit,
      ),
    );
    const document = `query ($id: ID!) { user(id: $id) {
      contacts(first: 1) { totalCount nodes { phoneNumber } edges { cursor node { requests } } pageInfo { hasNextPage } }
      frequentContacts { phoneNumber requests lastRequestedAt }
      paymentMethods { totalCount nodes { type number } }
    } }`;
    expect(await execute(document, { id: userId })).toMatchObject({
      contacts: { totalCount: 2, nodes: [{}], pageInfo: { hasNextPage: true } },
      frequentContacts: [{ phoneNumber: '+13125550199', requests: 1, lastRequestedAt: START.toISOString() }],
      paymentMethods: { totalCount: 1, nodes: [{ type: 'UBN', number: ACCOUNT.number }] },
    });
    for (const limit of [0, 101]) {
      const limited = `query ($id: ID!) { user(id: $id) { frequentContacts(limit: ${limit}) { id } } }`;
      expect(await codeOf(limited, { id: userId })).toBe('BAD_USER_INPUT');
    }
  });

  test("of another partner is null, and so are that partner's entities", async () => {
    const theirs = await bench.newUser({}, globex);
    const contact = await bench.service.createContact(globex, theirs, FRIEND);
    const method = await bench.service.addUbn(globex, theirs, ACCOUNT);
    expect(await execute('query ($id: ID!) { user(id: $id) { id } }', { id: theirs })).toBeNull();
    const representations = [
      { __typename: 'User', id: theirs },
      { __typename: 'Contact', id: contact.ok ? contact.value.contactId : '' },
      { __typename: 'PaymentMethod', id: method.ok ? method.value.paymentMethodId : '' },
      { __typename: 'Contact', id: 'con_none' },
    ];
    const entities =
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }';
    expect(await execute(entities, { representations })).toEqual([null, null, null, null]);
    expect(await execute(entities, { representations }, globex)).toMatchObject([
      { __typename: 'User' },
      { __typename: 'Contact' },
      { __typename: 'PaymentMethod' },
      null,
    ]);
  });
});

describe('many at once are one read', () => {
  const names = Array.from({ length: 12 }, (_, index) => index);
  let userId: string;
  let contactIds: string[];
  let registered: string;

  beforeAll(async () => {
    userId = await bench.newUser();
    const known = newPerson();
    registered = await bench.newUser(known);
    const phones = [...names.map((index) => `+131255503${index + 10}`), known.phoneNumber];
    contactIds = [];
    for (const phoneNumber of phones) {
      const made = await bench.service.createContact(acme, userId, { ...FRIEND, phoneNumber });
      contactIds.push(made.ok ? made.value.contactId : '');
    }
  });

  test('the registered users of contacts, by list and by reference', async () => {
    const list = `query ($id: ID!) { user(id: $id) { contacts(first: 50) { nodes { id registeredUser { id firstName } } edges { node { id } } } } }`;
    const queries = recordQueries(store.connection);
    const user = (await execute(list, { id: userId })) as {
      contacts: { nodes: { id: string; registeredUser: unknown }[] };
    };
    const found = user.contacts.nodes.filter((node) => node.registeredUser !== null);
    expect(found).toEqual([{ id: contactIds.at(-1), registeredUser: { id: registered, firstName: 'Ana' } }]);
    expect(queries.map(({ collection }) => collection)).toEqual(['users', 'contacts', 'users']);

    const before = queries.length;
    const representations = contactIds.map((id) => ({ __typename: 'Contact', id }));
    const entities =
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Contact { id registeredUser { id } } } }';
    expect(await execute(entities, { representations })).toHaveLength(contactIds.length);
    expect(queries.slice(before).map(({ collection }) => collection)).toEqual(['contacts', 'users']);
  });

  test('the user who has contacts and payment methods, by list and by reference', async () => {
    await bench.service.addUbn(acme, userId, ACCOUNT);
    const list = `query ($id: ID!) { user(id: $id) {
      contacts(first: 50) { nodes { user { id firstName } } }
      paymentMethods { nodes { id user { id } } }
    } }`;
    const queries = recordQueries(store.connection);
    const user = (await execute(list, { id: userId })) as {
      contacts: { nodes: unknown[] };
      paymentMethods: { nodes: { id: string; user: unknown }[] };
    };
    expect(user.contacts.nodes).toEqual(contactIds.map(() => ({ user: { id: userId, firstName: 'Ana' } })));
    const methods = user.paymentMethods.nodes;
    expect(methods).toEqual([{ id: expect.any(String), user: { id: userId } }]);
    const read = queries.map(({ collection }) => collection).sort();
    expect(read).toEqual(['contacts', 'paymentMethods', 'users', 'users', 'users']);

    const before = queries.length;
    const representations = [
      { __typename: 'Contact', id: contactIds[0] },
      { __typename: 'PaymentMethod', id: methods[0]?.id },
    ];
    const entities = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
      ... on Contact { user { id } } ... on PaymentMethod { user { id } }
    } }`;
    const owner = { user: { id: userId } };
    expect(await execute(entities, { representations })).toEqual([owner, owner]);
    expect(queries.length - before).toBe(4);
    expect(await execute(entities, { representations }, globex)).toEqual([null, null]);
  });

  test('are not read when nobody selects them', async () => {
    const queries = recordQueries(store.connection);
    await execute('query ($id: ID!) { user(id: $id) { contacts { nodes { id } } } }', { id: userId });
    expect(queries.map(({ collection }) => collection)).toEqual(['users', 'contacts']);
  });
});

describe('for REST', () => {
  const TOKEN =
    'query ($phoneNumber: String, $email: String) { userToken(phoneNumber: $phoneNumber, email: $email) { id } }';
  const FREQUENT =
    'query ($userToken: ID!, $limit: String!) { frequentContacts(userToken: $userToken, limit: $limit) { phoneNumber } }';

  test('userToken finds by phone number or by email', async () => {
    const person = newPerson();
    const id = await bench.newUser(person);
    expect(await execute(TOKEN, { phoneNumber: person.phoneNumber })).toEqual({ id });
    expect(await execute(TOKEN, { phoneNumber: person.phoneNumber.slice(3) })).toEqual({ id });
    expect(await execute(TOKEN, { email: person.email.toUpperCase() })).toEqual({ id });
    expect(await execute(TOKEN, { email: person.email }, globex)).toBeNull();
    for (const nobody of [
      { phoneNumber: '+525500000000' },
      { phoneNumber: 'x' },
      { phoneNumber: '' },
      { email: '' },
    ]) {
      expect(await execute(TOKEN, nobody)).toBeNull();
    }
    expect(await codeOf(TOKEN, {})).toBe('BAD_USER_INPUT');
    expect(await codeOf(TOKEN, person)).toBe('BAD_USER_INPUT');
  });

  test('frequentContacts fails for bad limits, unknown users and those of others', async () => {
    const userToken = await bench.newUser();
    const theirs = await bench.newUser({}, globex);
    expect(await execute(FREQUENT, { userToken, limit: '100' })).toEqual([]);
    expect(await codeOf(FREQUENT, { userToken, limit: '0' })).toBe('BAD_USER_INPUT');
    expect(await codeOf(FREQUENT, { userToken: 'usr_none', limit: '5' })).toBe('ERROR_SUBSCRIBER_NOT_FOUND');
    expect(await codeOf(FREQUENT, { userToken: theirs, limit: '5' })).toBe('USER_TENANT_MISMATCH');
  });

  test('without the scope nothing is read or done', async () => {
    const stranger = { ...acme, scopes: [] };
    const input = registrationOf(newPerson());
    expect(await codeOf(TOKEN, { email: 'x' }, stranger)).toBe('FORBIDDEN');
    expect(await codeOf(FREQUENT, { userToken: 'x', limit: 'x' }, stranger)).toBe('FORBIDDEN');
    expect(await codeOf(REGISTER, { input }, stranger)).toBe('FORBIDDEN');
    expect(await bench.service.findBy(acme, { email: String(input.email) })).toBeUndefined();
  });
});
