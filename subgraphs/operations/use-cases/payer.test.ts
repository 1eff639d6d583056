import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { ContactRecord } from '../../users/index.ts';
import { findContactByPhone, findPayer } from './payer.ts';

const tenant = {
  sourceCountry: 'US',
  country: 'MX',
  countries: ['MX', 'GT'],
  dialCodes: ['+52', '+1', '+502'],
} as Tenant;
const owner = { accountId: 'acme/sandbox' as const, userId: 'u_1' };

const contactOf = (contactId: string, phoneNumber: string, countryCode?: string) =>
  ({ contactId, phoneNumber, email: `${contactId}@example.com`, countryCode }) as ContactRecord;

const CONTACTS = [
  contactOf('mexican', '+525512345678', 'MX'),
  contactOf('guatemalan', '+50230001234'),
  contactOf('german', '+4915112345678', 'DE'),
  contactOf('moved', '+525598765432', 'US'),
];

const users = {
  findContact: async (_owner: typeof owner, by: { phoneNumber: string } | { email: string }) =>
    CONTACTS.find((contact) =>
      'email' in by ? contact.email === by.email : contact.phoneNumber === by.phoneNumber,
    ),
};

describe('findPayer', () => {
  test.each([
    ['a new person, in E.164', '+13125550188', '+13125550188', 'US', undefined],
    ['a new person, in the form of the source country', '(312) 555-0188', '+13125550188', 'US', undefined],
    ["a new person, in the form of the tenant's country", '55 8765 4321', '+525587654321', 'MX', undefined],
    ['a contact, before a new person', '5512345678', '+525512345678', 'MX', 'mexican'],
    ['a contact in another country of the tenant', '3000 1234', '+50230001234', 'GT', 'guatemalan'],
    ['a contact by email', ' mexican@example.com ', '+525512345678', 'MX', 'mexican'],
    ['a contact whose country is not that of the phone', '+525598765432', '+525598765432', 'US', 'moved'],
  ])('%s', async (_name, requestTo, phoneNumber, country, contactId) => {
    const found = await findPayer(users, tenant, owner, requestTo);
    expect(found.ok && found.value).toMatchObject({ phoneNumber, country });
    expect(found.ok && found.value.contact?.contactId).toBe(contactId);
  });

  test.each([
    ['no number at all', 'Luis', 'INVALID_PHONE_NUMBER'],
    ['an empty text', '', 'INVALID_PHONE_NUMBER'],
    ['a number that its country has not given out', '+1312555', 'INVALID_PHONE_NUMBER'],
    ['a national form of nowhere', '3000 9999', 'INVALID_PHONE_NUMBER'],
    ['no text', 5, 'INVALID_PHONE_NUMBER'],
    ['an email that nobody has', 'nobody@example.com', 'ERROR_CONTACT_NOT_FOUND'],
    ['a dial code of others', '+4915112345679', 'ERROR_PHONE_NUMBER_NOT_SUPPORTED'],
    ['a contact with a dial code of others', 'german@example.com', 'ERROR_PHONE_NUMBER_NOT_SUPPORTED'],
  ])('fails for %s', async (_name, requestTo, code) => {
    expect(await findPayer(users, tenant, owner, requestTo)).toMatchObject({ failures: [{ code }] });
  });
});

test('findContactByPhone finds in any country of the tenant, and nobody else', async () => {
  expect(await findContactByPhone(users, tenant, owner, '3000 1234')).toMatchObject({
    contactId: 'guatemalan',
  });
  expect(await findContactByPhone(users, tenant, owner, '+13125550188')).toBeUndefined();
});
