import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CountryCodeScalar, DateTimeScalar } from '../../graph/scalars.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { ContactRecord } from '../contact.ts';
import type { UserService } from '../service.ts';
import type { UserRecord } from '../user.ts';
import { ownersOf } from './owners.ts';
import type { User } from './user.type.ts';

@ObjectType({ description: 'A person whom a user asks for money.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class Contact {
  @Field(() => ID, { description: "The platform's id of the contact." })
  id!: string;

  @RequiresScopes('partner_contact')
  @Field(() => String, {
    description:
      'Phone number in E.164 format; empty if the user was erased. A user has one contact for each phone number.',
  })
  phoneNumber!: string;

  @Field(() => String, { nullable: true, description: 'First names; null if unknown.' })
  firstName!: string | null;

  @Field(() => String, { nullable: true, description: 'Last name; null if unknown.' })
  lastName!: string | null;

  @RequiresScopes('partner_contact')
  @Field(() => String, { nullable: true, description: 'Email address; null if unknown.' })
  email!: string | null;

  @Field(() => CountryCodeScalar, { nullable: true, description: 'Country of the contact; null if unknown.' })
  country!: string | null;

  @Field(() => Int, { description: 'Number of times that the user asked this contact for money.' })
  requests!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the user last asked this contact for money; null if never.',
  })
  lastRequestedAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'When the contact was created.' })
  createdAt!: Date;

  /** Not a field: finds the contact's own user, together with those of the other contacts in its list. */
  findRegistered!: () => Promise<UserRecord | undefined>;

  /** Not a field: finds the user who has the contact, in the same way. */
  findOwner!: () => Promise<User>;
}

/**
 * Makes the GraphQL shape of contacts. When one of them selects its user, the users of all of `contacts` are read together.
 */
export function contactPresenter(
  contacts: readonly ContactRecord[],
  users: Pick<UserService, 'findByPhones' | 'findByIds'>,
  principal: Principal,
): (contact: ContactRecord) => Contact {
  const ownerOf = ownersOf(contacts, users, principal);
  let found: ReturnType<UserService['findByPhones']> | undefined;
  const findRegistered = async (phoneNumber: string) => {
    found ??= users.findByPhones(principal, [...new Set(contacts.map((contact) => contact.phoneNumber))]);
    return (await found).get(phoneNumber);
  };
  return (contact) => ({
    id: contact.contactId,
    phoneNumber: contact.phoneNumber,
    firstName: contact.firstName ?? null,
    lastName: contact.lastName ?? null,
    email: contact.email ?? null,
    country: contact.countryCode ?? null,
    requests: contact.requests,
    lastRequestedAt: contact.lastRequestedAt ?? null,
    createdAt: contact.createdAt,
    findRegistered: () => findRegistered(contact.phoneNumber),
    findOwner: () => ownerOf(contact),
  });
}

@ObjectType({ description: 'A page of contacts.' })
export class ContactConnection extends connectionType(Contact, 'Contact') {}
