import { expect, test } from '@jest/globals';
import { createConnection } from 'mongoose';
import { transparentBox } from '../../kernel/crypto/testing.ts';
import { createRemittanceModel, type RemittanceDocument } from './model.ts';
import { remittanceId } from './remittance-repository.ts';
import { openInput, sealInput } from './sealed-input.ts';

/*
 * Remittances under way survive a deployment: the names inside what is sealed of them, and its context, are the data's own,
 * and no renaming in the code may change them.
 */

const INPUT =
  '{"person":{"firstName":"Ana","lastName":"Ruiz","secondName":"Maria","secondLastName":"Paz","dob":"1990-01-31",' +
  '"country":"MX"},"contact":{"phoneNumber":"+12125550123","firstName":"Bob","lastName":"Roe","countryCode":"US"},' +
  '"method":{"type":"UBN","country":"MX","currency":"MXN","number":"032180000118359719"},"reason":"Rent"}';

test("the call's data for the steps keeps its form when sealed", () => {
  const _id = remittanceId('acme/sandbox', 'corr-1');
  const sealed = sealInput(transparentBox, { _id, accountId: 'acme/sandbox' }, JSON.parse(INPUT));
  expect([_id, String(sealed)]).toEqual([
    'acme/sandbox|corr-1',
    `acme/sandbox|private|acme/sandbox|corr-1\n${INPUT}`,
  ]);
  const remittance = { _id, accountId: 'acme/sandbox', private: sealed } as unknown as RemittanceDocument;
  expect(openInput(transparentBox, remittance)).toEqual(JSON.parse(INPUT));
});

test('the collection is called what it was', () => {
  expect(createRemittanceModel(createConnection()).collection.collectionName).toBe('remittances');
});
