import { Resolver } from 'type-graphql';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { andThen } from '../../kernel/errors/result.ts';
import { readBlockUser } from '../commands/block-user.ts';
import type { UserService } from '../service.ts';
import { contactPresenter } from './contact.type.ts';
import {
  AddCardInput,
  AddPaymentMethodPayload,
  AddUbnInput,
  BlockUserInput,
  BlockUserPayload,
  CreateContactInput,
  CreateContactPayload,
  RegisterUserInput,
  RegisterUserPayload,
  UnblockUserInput,
  UnblockUserPayload,
} from './inputs.ts';
import { paymentMethodPresenter } from './payment-method.type.ts';
import { toUser } from './user.type.ts';

const BY_TOKEN = { userId: { argument: 'userToken', description: 'The userId.' } };
const BY_ID = { userId: { argument: 'userId', description: 'The user of the path.' } };

/** The mutations of users. */
@Resolver()
export class UserMutations {
  constructor(private readonly users: UserService) {}

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => RegisterUserPayload,
    graphql: {
      description: 'Registers a user.',
      input: { type: () => RegisterUserInput, description: 'The user.' },
    },
    rest: {
      field: 'registerUserFromJson',
      description: 'POST /v1/user/register-v2: the body as it was sent.',
    },
  })
  async registerUser({ principal, body }: MutationCall): Promise<RegisterUserPayload> {
    return toPayload('user', await this.users.register(principal, body), toUser);
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => CreateContactPayload,
    graphql: {
      description: 'Creates a contact, or updates the one with the same phone number.',
      input: { type: () => CreateContactInput, description: 'The contact.' },
    },
    rest: {
      field: 'createContactFromJson',
      description: 'POST /v1/user/contacts/{userToken}: the body as it was sent.',
    },
    ids: BY_TOKEN,
  })
  async createContact({ principal, ids, body }: MutationCall<'userId'>): Promise<CreateContactPayload> {
    const kept = await this.users.createContact(principal, ids.userId, body);
    return toPayload('contact', kept, (contact) =>
      contactPresenter([contact], this.users, principal)(contact),
    );
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => AddPaymentMethodPayload,
    graphql: {
      description: 'Adds a card to pay out to.',
      input: { type: () => AddCardInput, description: 'The card.' },
    },
    rest: {
      field: 'addCardFromJson',
      description: 'POST /v1/user/payment-methods/card/{userToken}: the body as it was sent.',
    },
    ids: BY_TOKEN,
  })
  async addCard({ principal, ids, body }: MutationCall<'userId'>): Promise<AddPaymentMethodPayload> {
    const added = await this.users.addCard(principal, ids.userId, body);
    return toPayload('paymentMethod', added, (method) =>
      paymentMethodPresenter([method], this.users, principal)(method),
    );
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => AddPaymentMethodPayload,
    graphql: {
      description: 'Adds a bank account to pay out to.',
      input: { type: () => AddUbnInput, description: 'The account.' },
    },
    rest: {
      field: 'addUbnFromJson',
      description: 'POST /v1/user/payment-methods/ubn/{userToken}: the body as it was sent.',
    },
    ids: BY_TOKEN,
  })
  async addUbn({ principal, ids, body }: MutationCall<'userId'>): Promise<AddPaymentMethodPayload> {
    const added = await this.users.addUbn(principal, ids.userId, body);
    return toPayload('paymentMethod', added, (method) =>
      paymentMethodPresenter([method], this.users, principal)(method),
    );
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => BlockUserPayload,
    graphql: {
      description:
        'Blocks a user: no new links and no transfers. A user who is already blocked keeps the first reason.',
      input: { type: () => BlockUserInput, description: 'The user.' },
    },
    rest: {
      field: 'blockUserFromJson',
      description: 'POST /partner/users/{userId}/block: the body as it was sent; an empty one is none.',
      body: 'optional',
    },
    ids: BY_ID,
  })
  async blockUser({ principal, ids, body }: MutationCall<'userId'>): Promise<BlockUserPayload> {
    const blocked = await andThen(readBlockUser(body), (block) =>
      this.users.block(principal, ids.userId, block),
    );
    return toPayload('user', blocked, toUser);
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => UnblockUserPayload,
    graphql: {
      description: 'Unblocks a user.',
      input: { type: () => UnblockUserInput, description: 'The user.' },
    },
    rest: {
      field: 'unblockUserById',
      description: 'POST /partner/users/{userId}/unblock.',
      body: 'none',
    },
    ids: BY_ID,
  })
  async unblockUser({ principal, ids }: MutationCall<'userId'>): Promise<UnblockUserPayload> {
    return toPayload('user', await this.users.unblock(principal, ids.userId), toUser);
  }
}
