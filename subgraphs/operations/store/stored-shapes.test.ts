import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { toBuffer } from '../../platform/binary.ts';
import { transparentBox } from '../../platform/crypto/testing.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { createTransactions } from '../../platform/database/transaction.ts';
import { createOperationModels, type OperationIdDocument } from './model.ts';
import { createReservations } from './reservations.ts';
import { revealOperation, sealTexts } from './sealed-texts.ts';

/*
 * What is stored today must be readable tomorrow: the names inside sealed JSON and the contexts are the data's own, and no
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
  '"exchangeRate":"18.25","tenantFee":"3.00","amount":"103.00"},"attributionLink":"https://acme.test/t/corr-1"}';
const FAILURE =
  '{"code":"ERROR_CARD_VERIFICATION","message":"No such card","path":["destinationPaymentMethod"]}';

test('the collections are called what they were', () => {
  const { operations, history, operationIds } = createOperationModels(database.connection);
  expect([operations, history, operationIds].map(({ collection }) => collection.collectionName)).toEqual([
    'operations',
    'operationHistory',
    'operationIds',
  ]);
});

test('a reservation is stored as it was, while it is open and once a provider has said no', async () => {
  const ids = database.connection.collection<OperationIdDocument>('operationIds');
  const reservations = createReservations({
    ids: createOperationModels(database.connection).operationIds,
    box: transparentBox,
  });
  const key = { tenantId: 'acme', operationId: 'corr-1' };
  const terms = JSON.parse(TERMS);
  await createTransactions(database.connection)((unit) =>
    reservations.open(key, { digest: 'digest-1', environment: 'live', terms }, unit),
  );
  const open = await ids.findOne({ _id: 'acme|corr-1' });
  expect({ ...open, terms: open?.terms && toBuffer(open.terms).toString() }).toEqual({
    _id: 'acme|corr-1',
    digest: 'digest-1',
    environment: 'live',
    terms: `acme|terms|corr-1\n${TERMS}`,
  });
  expect(await reservations.find(key)).toEqual({
    kind: 'open',
    reservation: { digest: 'digest-1', environment: 'live', terms },
  });

  await reservations.fail(key, JSON.parse(FAILURE));
  const failed = await ids.findOne({ _id: 'acme|corr-1' });
  expect({ ...failed, refusal: failed?.refusal && toBuffer(failed.refusal).toString() }).toEqual({
    _id: 'acme|corr-1',
    digest: 'digest-1',
    environment: 'live',
    refusal: `acme|refusal|corr-1\n${FAILURE}`,
  });
  expect(await reservations.find(key)).toMatchObject({ digest: 'digest-1', failure: JSON.parse(FAILURE) });
});

test('what people write of an operation is sealed under the contexts that it was', () => {
  const operation = { _id: 'o_1', tenantId: 'acme' };
  const sealed = sealTexts(transparentBox, operation, { reason: 'Rent', failureReason: 'No account' });
  expect([String(sealed.reason), String(sealed.failureReason)]).toEqual([
    'acme|reason|o_1\nRent',
    'acme|failureReason|o_1\nNo account',
  ]);
  const stored = { ...operation, ...sealed } as Parameters<typeof revealOperation>[1];
  expect(revealOperation(transparentBox, stored)).toMatchObject({
    reason: 'Rent',
    failureReason: 'No account',
  });
});
