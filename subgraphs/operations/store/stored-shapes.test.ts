import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { toBuffer } from '../../kernel/binary.ts';
import { transparentBox } from '../../kernel/crypto/testing.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { createUniqueValueModel, createUniqueValues } from '../../kernel/database/unique-values.ts';
import { createOperationModels } from './model.ts';
import { createOperationIds } from './operation-ids.ts';
import { createReservations } from './reservations.ts';
import { revealOperation, sealTexts } from './sealed-texts.ts';

/*
 * Data that is stored today must be readable tomorrow: the names inside sealed JSON and the contexts are the data's own, and no
 * renaming in the code may change them.
 */

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const TERMS =
  '{"payer":{"phoneNumber":"+13125550188","country":"US","contactId":"con_1","firstName":"Bob","lastName":"Roe"},' +
  '"quote":{"recipientAmount":"1825","recipientCurrency":"MXN","senderAmount":"100.00","senderCurrency":"USD",' +
  '"exchangeRate":"18.25","tenantFee":"3.00","amount":"103.00"},"attributionLink":"https://acme.test/t/corr-1",' +
  '"paymentMethodId":"pm_1","reason":"Rent"}';
const FAILURE =
  '{"code":"ERROR_CARD_VERIFICATION","message":"No such card","path":["destinationPaymentMethod"]}';

test('the names of the collections do not change', () => {
  const models = createOperationModels(database.connection);
  const all = [models.operations, models.history, models.reservations];
  expect(all.map(({ collection }) => collection.collectionName)).toEqual([
    'operations',
    'operationHistory',
    'reservations',
  ]);
});

test('the terms and the failure of a reservation are sealed as they were', async () => {
  const { reservations: model } = createOperationModels(database.connection);
  const ids = createOperationIds(createUniqueValues(database.connection));
  const reservations = createReservations({ ids, model, box: transparentBox });
  const key = { accountId: 'acme/sandbox' as const, operationId: 'corr-1' };
  const terms = JSON.parse(TERMS);
  const digests = { digest: 'digest-1', sentDigest: 'digest-2' };
  const given = { userId: 'u_1', ...digests, payerKey: 'payer-1', terms } as const;
  await createTransactions(database.connection)((unit) => {
    reservations.open(key, given, { now: new Date(), at: new Date() }, unit);
  });
  expect(await createUniqueValueModel(database.connection).find().lean()).toEqual([
    { _id: 'acme/sandbox|operationId|corr-1' },
  ]);
  const found = await reservations.find(key);
  expect(found).toMatchObject({ _id: 'acme/sandbox|corr-1', ...digests, payerKey: 'payer-1' });
  expect(found?.terms && toBuffer(found.terms).toString()).toBe(`acme/sandbox|terms|corr-1\n${TERMS}`);
  expect(found && reservations.termsOf(found)).toEqual(terms);
  const refusal = reservations.sealRefusal(key, JSON.parse(FAILURE));
  expect(refusal.toString()).toBe(`acme/sandbox|refusal|corr-1\n${FAILURE}`);
  expect(found && reservations.refusalOf({ ...found, refusal })).toEqual(JSON.parse(FAILURE));
});

test("people's texts on an operation keep the contexts that they are sealed under", () => {
  const operation = { _id: 'o_1', accountId: 'acme/sandbox' as const };
  const sealed = sealTexts(transparentBox, operation, { reason: 'Rent', failureReason: 'No account' });
  expect([String(sealed.reason), String(sealed.failureReason)]).toEqual([
    'acme/sandbox|reason|o_1\nRent',
    'acme/sandbox|failureReason|o_1\nNo account',
  ]);
  const stored = { ...operation, ...sealed } as unknown as Parameters<typeof revealOperation>[1];
  expect(revealOperation(transparentBox, stored)).toMatchObject({
    reason: 'Rent',
    failureReason: 'No account',
  });
});
