import type { Model } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { newId } from '../../kernel/database/ids.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { CONTACT_ID, type ContactInput, type ContactRecord } from '../contact.ts';
import type { KeepContact } from '../port.ts';
import type { Owner, PersonKey } from '../user.ts';
import type { Keys } from './keys.ts';
import type { ContactDocument } from './model.ts';

/** Reads and writes contacts. It seals the personal part when it writes, and opens it when it reads. */
export interface ContactRepository {
  find(owner: Owner, by: PersonKey, unit?: UnitOfWork): Promise<ContactRecord | undefined>;
  findMany(accountId: AccountId, contactIds: readonly string[]): Promise<Map<string, ContactRecord>>;
  /** All users' contacts that have one of these phone numbers, newest first, at most `most`. */
  findByPhones(
    accountId: AccountId,
    phoneNumbers: readonly string[],
    most: number,
  ): Promise<Pick<ContactRecord, 'contactId' | 'userId'>[]>;
  list(owner: Owner, page: Page): Promise<Connection<ContactRecord>>;
  /** Contacts with requests, most first, ties by the latest request. */
  frequent(owner: Owner, limit: number): Promise<ContactRecord[]>;
  /** @throws a duplicate key error when the user has a contact with this phone number */
  insert(contact: KeepContact, unit: UnitOfWork): ContactRecord;
  /** Writes the personal data of a contact. */
  update(accountId: AccountId, contact: ContactRecord, unit: UnitOfWork): void;
  countRequest(input: Owner & { contactId: string; at: Date }, unit: UnitOfWork): void;
}

interface ContactRepositoryDeps {
  model: Model<ContactDocument>;
  box: Box;
  keys: Keys;
}

export function createContactRepository(deps: ContactRepositoryDeps): ContactRepository {
  const { model, box, keys } = deps;
  const present = (document: ContactDocument) => reveal(box, document);
  return {
    find: async ({ accountId, userId }, by, unit) => {
      const [found] = await findPlain(
        model,
        { accountId, userId, ...keys.of(accountId, by) },
        {
          limit: 1,
          session: unit?.session,
          ...('email' in by ? { sort: { createdAt: -1, _id: -1 } } : {}),
        },
      );
      return found ? present(found) : undefined;
    },
    findMany: async (accountId, contactIds) => {
      const found = await model.find({ _id: { $in: contactIds }, accountId }).lean();
      return new Map(found.map((contact) => [contact._id, present(contact)]));
    },
    findByPhones: async (accountId, phoneNumbers, most) => {
      const phoneKey = { $in: phoneNumbers.map((number) => keys.phone(accountId, number)) };
      const found = await model
        .find({ accountId, phoneKey }, { userId: 1 })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most)
        .lean();
      return found.map(({ _id: contactId, userId }) => ({ contactId, userId }));
    },
    list: ({ accountId, userId }, page) => paginate(model, { accountId, userId }, page, present),
    frequent: async ({ accountId, userId }, limit) => {
      const found = await model
        .find({ accountId, userId, requests: { $gt: 0 } })
        .sort({ requests: -1, lastRequestedAt: -1, _id: 1 })
        .limit(limit)
        .lean();
      return found.map(present);
    },
    insert: ({ accountId, userId, contact, at }, unit) => {
      const contactId = newId(CONTACT_ID);
      const document = {
        _id: contactId,
        accountId,
        userId,
        ...seal(deps, accountId, contactId, contact),
        requests: 0,
        createdAt: at,
      };
      unit.insert(model, [document]);
      return { ...contact, contactId, userId, requests: 0, createdAt: at };
    },
    update: (accountId, { contactId, userId, ...contact }, unit) => {
      const sealed = seal(deps, accountId, contactId, personOf(contact));
      unit.update(model, { filter: { _id: contactId, accountId, userId }, update: { $set: sealed } });
    },
    countRequest: ({ accountId, userId, contactId, at }, unit) =>
      unit.update(model, {
        filter: { _id: contactId, accountId, userId },
        update: { $inc: { requests: 1 }, $max: { lastRequestedAt: at } },
      }),
  };
}

/** The personal data of a contact, without its other fields. */
export function personOf({
  phoneNumber,
  firstName,
  lastName,
  email,
  countryCode,
}: ContactInput): ContactInput {
  return {
    phoneNumber,
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(email === undefined ? {} : { email }),
    ...(countryCode === undefined ? {} : { countryCode }),
  };
}

function seal(
  { box, keys }: ContactRepositoryDeps,
  accountId: AccountId,
  contactId: string,
  person: ContactInput,
) {
  return {
    phoneKey: keys.phone(accountId, person.phoneNumber),
    ...(person.email === undefined ? {} : { emailKey: keys.email(accountId, person.email) }),
    person: box.seal(JSON.stringify(person), personContext(accountId, contactId)),
  };
}

function reveal(box: Box, document: ContactDocument): ContactRecord {
  const { _id: contactId, accountId, userId, person, requests, lastRequestedAt, createdAt } = document;
  // Values that `seal` sealed.
  const contact: ContactInput = JSON.parse(
    box.open(toBuffer(person), personContext(accountId, contactId)).toString(),
  );
  return {
    ...contact,
    contactId,
    userId,
    requests,
    ...(lastRequestedAt === undefined ? {} : { lastRequestedAt }),
    createdAt,
  };
}

/** The context that the personal part of a contact is sealed with. */
export function personContext(accountId: AccountId, contactId: string): string {
  return `${accountId}|person|${contactId}`;
}
