import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { toBuffer } from '../../kernel/binary.ts';
import { createBlindIndex } from '../../kernel/crypto/blind-index.ts';
import { transparentBox } from '../../kernel/crypto/testing.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { readCreateBody } from '../commands/read-create-request-money.ts';
import { createIdempotencyRepository } from './idempotency-repository.ts';
import { createMoneyRequestModels, type IdempotencyDocument, type MoneyRequestDocument } from './model.ts';
import { createMoneyRequestRepository } from './money-request-repository.ts';

/*
 * Data that is stored today must be readable tomorrow, and equal to the values that it is compared with: the names inside sealed JSON, the
 * contexts and what digests are made of are the data's own, and no renaming in the code may change them.
 */

const box = transparentBox;
const blindIndex = createBlindIndex(Buffer.alloc(32, 7));
const BODY = `{
  "referenceId": "Ref00001", "amount": 1500.50, "currency": "MXN", "more": 1.0,
  "requestData": {
    "userReferenceId": "user-1", "name": {"firstName": "Ana", "lastName": "Ruiz"}, "address": {"country": "MX"},
    "payoutMethod": "bank_account", "bankAccount": {"number": "0321 8000 0118 3597 19"}
  }
}`;
/** The stored result of that create. */
const RESULT =
  '{"moneyRequest":{"requestId":"req_1","accountId":"acme/sandbox","referenceId":"Ref00001","userReferenceId":"user-1","userId":"usr_1",' +
  '"amount":"1500.50","currency":"MXN","status":"pending","statusDetails":"AwaitingPayment","version":1,"waLink":"",' +
  '"landingLink":"https://pay.acme.test/r?ref=Ref00001","fundRequestLink":"","resolved":{"sourceCountry":"US",' +
  '"destinationCountry":"MX","sourceCurrency":"USD","destinationCurrency":"MXN","payoutType":"bank_account",' +
  '"payerCode":"MXSPEI"},"expiresAt":"2026-11-28T08:00:00.000Z","createdAt":"2026-11-21T08:00:00.000Z",' +
  '"updatedAt":"2026-11-21T08:00:00.000Z"},' +
  '"warnings":[{"code":"ROUTE_NOT_OFFERABLE","message":"Not at this amount."}]}';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function result() {
  const { moneyRequest: stored, warnings } = JSON.parse(RESULT);
  const time = (name: string) => ({ [name]: new Date(stored[name]) });
  const moneyRequest = { ...stored, ...time('expiresAt'), ...time('createdAt'), ...time('updatedAt') };
  return { moneyRequest, warnings };
}

function fingerprint() {
  const { command } = readCreateBody(parse(BODY));
  if (!command) {
    throw new TypeError('The body is in order');
  }
  const { idempotency: model } = createMoneyRequestModels(database.connection);
  const idempotency = createIdempotencyRepository({ model, box, blindIndex });
  const of = { accountId: 'acme/live', key: 'key|1', surface: 'rest' } as const;
  const create = { ...of, body: parse(BODY), command };
  return { idempotency, made: idempotency.fingerprint(create) };
}

test('the names of the collections do not change', () => {
  const { moneyRequests, idempotency } = createMoneyRequestModels(database.connection);
  expect([moneyRequests, idempotency].map(({ collection }) => collection.collectionName)).toEqual([
    'moneyRequests',
    'idempotencyKeys',
  ]);
});

test('a create is recognised by the digests that it was recognised by', () => {
  expect(fingerprint().made).toEqual({
    accountId: 'acme/live',
    key: 'key|1',
    surface: 'rest',
    bodyHash: 'OcYhBhmvPVTywOsA-SnSN-lDIbuppXYiIvFC_cDPzVw',
    commandHash: '3nD-fN-V28t5EkcjevvPNqXCqRhTUHnTjY1OD1yisN0',
  });
});

test('the result of a create is stored as it was', async () => {
  const { idempotency, made } = fingerprint();
  await createTransactions(database.connection)((unit) => idempotency.keep(made, result(), unit));
  const stored = await database.connection
    .collection<IdempotencyDocument>('idempotencyKeys')
    .findOne({ _id: 'acme/live|key|1' });
  expect({ ...stored, result: stored && toBuffer(stored.result).toString() }).toEqual({
    _id: 'acme/live|key|1',
    bodyHash: made.bodyHash,
    commandHash: made.commandHash,
    surface: 'rest',
    result: `acme/live|result|key|1\n${RESULT}`,
    createdAt: new Date('2026-11-21T08:00:00.000Z'),
  });
  expect(await idempotency.recall(made)).toEqual({ kind: 'same', result: result() });
});

test('a money request is stored as it was', async () => {
  const models = createMoneyRequestModels(database.connection);
  const repository = createMoneyRequestRepository({ models, box, blindIndex });
  const requestData = readCreateBody(parse(BODY)).command?.requestData;
  const moneyRequest = { ...result().moneyRequest, requestData, waLink: 'https://wa.test/1' };
  await createTransactions(database.connection)((unit) => repository.insert(moneyRequest, unit));
  const stored = await database.connection
    .collection<MoneyRequestDocument>('moneyRequests')
    .findOne({ _id: 'req_1' });
  const { requestId: _id, requestData: _, waLink: __, ...base } = moneyRequest;
  expect({ ...stored, private: stored && toBuffer(stored.private).toString() }).toEqual({
    ...base,
    _id,
    private:
      'acme/sandbox|private|req_1\n{"requestData":{"userReferenceId":"user-1","name":{"firstName":"Ana","lastName":"Ruiz"},' +
      '"address":{"country":"MX"},"payoutMethod":"bank_account",' +
      '"bankAccount":{"accountNumber":"032180000118359719"}},"waLink":"https://wa.test/1"}',
  });
  expect(await repository.find('acme/sandbox', 'Ref00001')).toEqual(moneyRequest);
});
