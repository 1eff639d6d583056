import { Arg, Ctx, Directive, ID, Mutation, Resolver } from 'type-graphql';
import type { Result } from '../../platform/errors/result.ts';
import { authorize } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { PaymentMethodRecord } from '../port.ts';
import type { UserService } from '../service.ts';
import type { UserRecord } from '../store/user-repository.ts';
import { presentContacts } from './contact.type.ts';
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
  toBody,
  UnblockUserInput,
  UnblockUserPayload,
} from './inputs.ts';
import { presentPaymentMethod } from './payment-method.type.ts';
import { toUser } from './user.type.ts';

const BODY = { description: 'The JSON text of the request.' };
const USER_TOKEN = { description: 'The userId.' };

/** What changes users: typed for GraphQL, and with the body as it was sent for REST. */
@Resolver()
export class UserMutations {
  readonly #users: UserService;

  constructor(users: UserService) {
    this.#users = users;
  }

  @RequiresScopes('partner')
  @Mutation(() => RegisterUserPayload, { description: 'Registers a user.' })
  registerUser(
    @Arg('input', () => RegisterUserInput, { description: 'The user.' }) input: RegisterUserInput,
    @Ctx() context: RequestContext,
  ): Promise<RegisterUserPayload> {
    return this.#register(context, toBody(input));
  }

  @RequiresScopes('partner')
  @Mutation(() => RegisterUserPayload, { description: 'POST /v1/user/register-v2: the body as it was sent.' })
  @Directive('@inaccessible')
  registerUserFromJson(
    @Arg('body', () => String, BODY) body: string,
    @Ctx() context: RequestContext,
  ): Promise<RegisterUserPayload> {
    return this.#register(context, parseJson(body)?.value);
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateContactPayload, {
    description: 'Makes a contact, or brings the one with the same phone number up to date.',
  })
  createContact(
    @Arg('input', () => CreateContactInput, { description: 'The contact.' })
    { userId, ...contact }: CreateContactInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateContactPayload> {
    return this.#createContact(context, userId, toBody(contact));
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateContactPayload, {
    description: 'POST /v1/user/contacts/{userToken}: the body as it was sent.',
  })
  @Directive('@inaccessible')
  createContactFromJson(
    @Arg('userToken', () => ID, USER_TOKEN) userToken: string,
    @Arg('body', () => String, BODY) body: string,
    @Ctx() context: RequestContext,
  ): Promise<CreateContactPayload> {
    return this.#createContact(context, userToken, parseJson(body)?.value);
  }

  @RequiresScopes('partner')
  @Mutation(() => AddPaymentMethodPayload, { description: 'Adds a card to pay out to.' })
  async addCard(
    @Arg('input', () => AddCardInput, { description: 'The card.' }) { userId, ...card }: AddCardInput,
    @Ctx() context: RequestContext,
  ): Promise<AddPaymentMethodPayload> {
    return toPayload(await this.#users.addCard(authorize(context), userId, toBody(card)));
  }

  @RequiresScopes('partner')
  @Mutation(() => AddPaymentMethodPayload, {
    description: 'POST /v1/user/payment-methods/card/{userToken}: the body as it was sent.',
  })
  @Directive('@inaccessible')
  async addCardFromJson(
    @Arg('userToken', () => ID, USER_TOKEN) userToken: string,
    @Arg('body', () => String, BODY) body: string,
    @Ctx() context: RequestContext,
  ): Promise<AddPaymentMethodPayload> {
    return toPayload(await this.#users.addCard(authorize(context), userToken, parseJson(body)?.value));
  }

  @RequiresScopes('partner')
  @Mutation(() => AddPaymentMethodPayload, { description: 'Adds a bank account to pay out to.' })
  async addUbn(
    @Arg('input', () => AddUbnInput, { description: 'The account.' }) { userId, ...account }: AddUbnInput,
    @Ctx() context: RequestContext,
  ): Promise<AddPaymentMethodPayload> {
    return toPayload(await this.#users.addUbn(authorize(context), userId, toBody(account)));
  }

  @RequiresScopes('partner')
  @Mutation(() => AddPaymentMethodPayload, {
    description: 'POST /v1/user/payment-methods/ubn/{userToken}: the body as it was sent.',
  })
  @Directive('@inaccessible')
  async addUbnFromJson(
    @Arg('userToken', () => ID, USER_TOKEN) userToken: string,
    @Arg('body', () => String, BODY) body: string,
    @Ctx() context: RequestContext,
  ): Promise<AddPaymentMethodPayload> {
    return toPayload(await this.#users.addUbn(authorize(context), userToken, parseJson(body)?.value));
  }

  @RequiresScopes('partner')
  @Mutation(() => BlockUserPayload, {
    description: 'Blocks a user: no new links, no transfers. A blocked one keeps the first reason.',
  })
  async blockUser(
    @Arg('input', () => BlockUserInput, { description: 'The user.' }) { userId, ...reason }: BlockUserInput,
    @Ctx() context: RequestContext,
  ): Promise<BlockUserPayload> {
    return userPayload(await this.#users.block(authorize(context), userId, toBody(reason)));
  }

  @RequiresScopes('partner')
  @Mutation(() => BlockUserPayload, {
    description: 'POST /partner/users/{userId}/block: the body as it was sent; an empty one is none.',
  })
  @Directive('@inaccessible')
  async blockUserFromJson(
    @Arg('userId', () => ID, { description: 'The user of the path.' }) userId: string,
    @Arg('body', () => String, BODY) body: string,
    @Ctx() context: RequestContext,
  ): Promise<BlockUserPayload> {
    const value = body === '' ? {} : parseJson(body)?.value;
    return userPayload(await this.#users.block(authorize(context), userId, value));
  }

  @RequiresScopes('partner')
  @Mutation(() => UnblockUserPayload, { description: 'Takes the block of a user back.' })
  async unblockUser(
    @Arg('input', () => UnblockUserInput, { description: 'The user.' }) { userId }: UnblockUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UnblockUserPayload> {
    return userPayload(await this.#users.unblock(authorize(context), userId));
  }

  @RequiresScopes('partner')
  @Mutation(() => UnblockUserPayload, { description: 'POST /partner/users/{userId}/unblock.' })
  @Directive('@inaccessible')
  async unblockUserById(
    @Arg('userId', () => ID, { description: 'The user of the path.' }) userId: string,
    @Ctx() context: RequestContext,
  ): Promise<UnblockUserPayload> {
    return userPayload(await this.#users.unblock(authorize(context), userId));
  }

  async #register(context: RequestContext, body: unknown): Promise<RegisterUserPayload> {
    return userPayload(await this.#users.register(authorize(context), body));
  }

  async #createContact(
    context: RequestContext,
    userId: string,
    body: unknown,
  ): Promise<CreateContactPayload> {
    const principal = authorize(context);
    const kept = await this.#users.createContact(principal, userId, body);
    if (!kept.ok) {
      return { contact: null, userErrors: toUserErrors(kept.failures) };
    }
    const [contact = null] = presentContacts([kept.value], (phones) =>
      this.#users.findByPhones(principal, phones),
    );
    return { contact, userErrors: [] };
  }
}

function userPayload(result: Result<UserRecord>): RegisterUserPayload {
  return result.ok
    ? { user: toUser(result.value), userErrors: [] }
    : { user: null, userErrors: toUserErrors(result.failures) };
}

function toPayload(added: Result<PaymentMethodRecord>): AddPaymentMethodPayload {
  return added.ok
    ? { paymentMethod: presentPaymentMethod(added.value), userErrors: [] }
    : { paymentMethod: null, userErrors: toUserErrors(added.failures) };
}
