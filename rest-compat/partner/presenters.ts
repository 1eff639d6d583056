import {
  type BlockPartnerUserMutation,
  CipStatus,
  type CreatePartnerCipTicketMutation,
  type FulfilPartnerDataRequestMutation,
  LinkActivityActor,
  LinkActivityStatus,
  type LinkActivityType,
  LinkStatus,
  type OperationStatus,
  PartnerEnvironment,
  type PartnerLinkActivityQuery,
  type PartnerLinkFragment,
  type PartnerLinkHeadFragment,
  type PartnerLinkReadinessQuery,
  type PartnerLinksQuery,
  type PartnerMeQuery,
  type PartnerOperationFragment,
  type PartnerPreQuoteMutation,
  type PartnerUsersQuery,
  type PartnerWebhookConfigQuery,
} from '../../schema/operations/types.ts';
import { type Members, optional, shape } from '../../subgraphs/kernel/json/shape.ts';
import { ACTIVITY_TYPES } from '../../subgraphs/links/index.ts';
import { PARTNER_STATUS_OF, PARTNER_STATUSES, type PartnerStatus } from '../../subgraphs/operations/index.ts';
import { inLowerCase, inPascalCase, paymentMethodType } from '../shared/enum-names.ts';
import { object, refTo, text, time } from '../shared/openapi/document.ts';
import { type Outcome, type Payload, payloadOutcome } from '../shared/outcome.ts';
import { exactNumber } from '../shared/reply.ts';

type ListedLink = PartnerLinksQuery['linkPage']['items'][number];
type LinkUser = NonNullable<PartnerLinkFragment['user']>;
type PricedOperation = NonNullable<PartnerLinkFragment['operation']>;
type Money = PricedOperation['recipient'];
type LinkHead = PartnerLinkHeadFragment & { readonly user: { readonly id: string } | null };
type Activity = NonNullable<PartnerLinkActivityQuery['linkActivity']>[number];
type User = PartnerUsersQuery['userPage']['items'][number];
type Name = Pick<User, 'firstName' | 'secondName' | 'lastName' | 'secondLastName'>;
type Ticket = NonNullable<CreatePartnerCipTicketMutation['createCipTicketFromJson']['ticket']>;
type Fulfilled = NonNullable<FulfilPartnerDataRequestMutation['fulfilDataRequestFromJson']['dataRequest']>;
type Quote = NonNullable<PartnerPreQuoteMutation['preQuoteLiteFromJson']['quote']>;

const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };
const amount = { type: 'number', description: 'Exact to the digits stored.' };
const currency = { ...text, description: 'ISO 4217.' };
const anything = { type: 'object' };
const cipStatus = { ...text, enum: inLowerCase(CipStatus) };
const operationStatus = { ...text, enum: PARTNER_STATUSES };
const nullable = (schema: { type: string }) => ({ ...schema, type: [schema.type, 'null'] });

/** A page as the hidden lists of the graph answer it. */
interface Page<Item> extends Payload {
  readonly items: readonly Item[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
}

/** Document 3, "Pagination wrapper". */
export function pageOf<Item>(payload: Page<Item>, toItem: (item: Item) => unknown): Outcome {
  return payloadOutcome(payload, payload, ({ items, page, limit, total, totalPages }) => ({
    items: items.map(toItem),
    pagination: { page, limit, total, totalPages },
  }));
}

/** The name of a person: the schema `Name`. */
export const nameOf = shape<Name>(
  optional({
    firstName: [text, ({ firstName }) => firstName],
    secondName: [text, ({ secondName }) => secondName],
    lastName: [text, ({ lastName }) => lastName],
    secondLastName: [text, ({ secondLastName }) => secondLastName],
  }),
);

const currencies = shape<PricedOperation>({
  source: [currency, ({ sender }) => sender?.currency, 'optional'],
  destination: [currency, ({ recipient }) => recipient.currency],
});

/** Document 3, "Operation (detail)", `amount`: the schema `Amount`. */
export const amountOf = shape<PricedOperation>({
  send: [amount, ({ sender }) => exactNumber(sender?.amount), 'optional'],
  receive: [amount, ({ recipient }) => exactNumber(recipient.amount)],
  rate: [amount, ({ exchangeRate }) => exactNumber(exchangeRate), 'optional'],
  fee: [amount, ({ tenantFee }) => exactNumber(tenantFee?.amount), 'optional'],
  currency: [currencies.schema, currencies],
});

const LINK_HEAD: Members<LinkHead> = {
  linkId: [text, ({ id }) => id],
  referenceId: [text, ({ referenceId }) => referenceId],
  status: [{ ...text, enum: inLowerCase(LinkStatus) }, ({ status }) => status.toLowerCase()],
  url: [text, ({ url }) => url],
  expiresAt: [time, ({ expiresAt }) => expiresAt],
  createdAt: [time, ({ createdAt }) => createdAt],
  openedAt: [time, ({ openedAt }) => openedAt, 'optional'],
  revokedAt: [time, ({ revokedAt }) => revokedAt, 'optional'],
  userId: [text, ({ user }) => user?.id],
};
/** The data that the partner attached, at the end of both records. */
const ATTACHED: Members<LinkHead> = {
  metadata: [anything, ({ metadata }) => metadata, 'optional'],
};

/** Document 3, "Link", with the keys that lists have. */
export const listedLink = shape<ListedLink>({
  ...LINK_HEAD,
  operationId: [text, ({ operation }) => operation?.id, 'optional'],
  userData: [
    object({ name: refTo('Name') }),
    ({ userData: { name } }) => name && { name: nameOf(name) },
    'optional',
  ],
  ...ATTACHED,
});

const userData = shape<PartnerLinkFragment['userData']>(
  optional({
    name: [refTo('Name'), ({ name }) => name && nameOf(name)],
    idType: [text, ({ idType }) => idType],
    idNumber: [{ ...text, description: 'Masked to its last four digits.' }, ({ idNumber }) => idNumber],
    dob: [{ ...text, format: 'date' }, ({ dob }) => dob],
    paymentMethod: [anything, ({ paymentMethod }) => paymentMethod],
    idImageUrl: [text, ({ idImageUrl }) => idImageUrl],
  }),
);

const linkUser = shape<LinkUser>({
  userId: [text, ({ id }) => id],
  status: [{ ...text, enum: ['active', 'blocked'] }, ({ blocked }) => (blocked ? 'blocked' : 'active')],
  cipStatus: [cipStatus, (user) => user.cipStatus.toLowerCase()],
  cipProvider: [text, ({ cipProvider }) => cipProvider, 'optional'],
  cipVerifiedAt: [time, ({ cipVerifiedAt }) => cipVerifiedAt, 'optional'],
  cipResult: [anything, ({ cipResult }) => cipResult, 'optional'],
});

const operationSummary = shape<PricedOperation>({
  operationId: [text, ({ id }) => id],
  status: [operationStatus, ({ status }) => publicStatus(status)],
  amount: [refTo('Amount'), amountOf],
});

/** Document 3, "Link". */
export const foundLink = shape<PartnerLinkFragment>({
  ...LINK_HEAD,
  userData: [userData.schema, (link) => userData(link.userData)],
  user: [linkUser.schema, ({ user }) => (user ? linkUser(user) : undefined)],
  operation: [
    operationSummary.schema,
    ({ operation }) => operation && operationSummary(operation),
    'optional',
  ],
  ...ATTACHED,
});

/** Document 3, "User". */
export const userRecord = shape<User>({
  userId: [text, ({ id }) => id],
  referenceId: [text, ({ referenceId }) => referenceId, 'optional'],
  name: [refTo('Name'), nameOf],
  cipStatus: [cipStatus, (user) => user.cipStatus.toLowerCase()],
  blocked: [flag, ({ blocked }) => blocked],
  createdAt: [time, ({ createdAt }) => createdAt],
});

/** Money that is absent when no rate was known. */
const funding = shape<Partial<Money>>(
  optional({
    amount: [amount, (money) => exactNumber(money.amount)],
    currency: [currency, (money) => money.currency],
  }),
);

const payout = shape<PartnerOperationFragment>({
  type: [
    text,
    ({ destinationPaymentMethod: method }) => method && paymentMethodType(method.type),
    'optional',
  ],
  country: [text, ({ destinationPaymentMethod: method }) => method?.country, 'optional'],
  number: [text, ({ destinationPaymentMethod: method }) => method?.number, 'optional'],
  amount: [amount, ({ recipient }) => exactNumber(recipient.amount)],
  currency: [currency, ({ recipient }) => recipient.currency],
});

/** Document 3, "Operation (detail)". */
export const operationRecord = shape<PartnerOperationFragment>({
  operationId: [text, ({ id }) => id],
  userId: [text, ({ user }) => user?.id],
  linkId: [text, ({ link }) => link?.id, 'optional'],
  referenceId: [
    text,
    ({ link, user, recipientReferenceId }) => link?.referenceId ?? user?.referenceId ?? recipientReferenceId,
    'optional',
  ],
  raasOperationId: [text, ({ platId }) => platId],
  status: [operationStatus, ({ status }) => publicStatus(status)],
  amount: [refTo('Amount'), amountOf],
  funding: [funding.schema, (operation) => funding(operation.amount ?? {})],
  payout: [payout.schema, payout],
  createdAt: [time, ({ createdAt }) => createdAt],
  updatedAt: [time, ({ updatedAt }) => updatedAt],
  completedAt: [time, ({ completedAt }) => completedAt, 'optional'],
  failedAt: [time, ({ failedAt }) => failedAt, 'optional'],
  failureReason: [text, ({ failureReason }) => failureReason, 'optional'],
});

/** Document 3 has five statuses for document 1's eleven (decisions, section 4). */
function publicStatus(status: OperationStatus): PartnerStatus {
  return PARTNER_STATUS_OF[inPascalCase(status)];
}

/** `LINK_CREATED` of the graph is `link.created` (decisions, section 4, "Activity types"). */
const ACTIVITY_TYPE_OF: ReadonlyMap<string, string> = new Map(
  ACTIVITY_TYPES.map((type) => [type.toUpperCase().replace('.', '_'), type]),
);

function activityType(type: LinkActivityType): string {
  const name = ACTIVITY_TYPE_OF.get(type);
  if (name === undefined) {
    throw new TypeError(`Document 3 has no activity ${type}`);
  }
  return name;
}

/** Document 3, "Activity entry". */
const activityEntry = shape<Activity>({
  activityId: [text, ({ id }) => id],
  type: [text, ({ type }) => activityType(type)],
  actor: [{ ...text, enum: inLowerCase(LinkActivityActor) }, ({ actor }) => actor.toLowerCase()],
  timestamp: [time, ({ occurredAt }) => occurredAt],
  status: [{ ...text, enum: inLowerCase(LinkActivityStatus) }, ({ status }) => status.toLowerCase()],
  data: [anything, ({ data }) => data],
  error: [text, ({ error }) => error, 'optional'],
  durationMs: [{ type: 'integer' }, ({ durationMs }) => durationMs, 'optional'],
});

/** Document 3, "Activity timeline". */
export const timeline = shape<{
  readonly link: { readonly id: string };
  readonly linkActivity: readonly Activity[];
}>({
  linkId: [text, ({ link }) => link.id],
  activities: [
    { type: 'array', items: activityEntry.schema },
    ({ linkActivity }) => linkActivity.map(activityEntry),
  ],
});

/** The link readiness check (decisions, section 4). */
export const readiness = shape<NonNullable<PartnerLinkReadinessQuery['link']>>({
  linkId: [text, ({ id }) => id],
  ready: [flag, (link) => link.readiness.ready],
  missing: [texts, (link) => link.readiness.missing],
});

/** Whether a user is blocked. `blockedAt` and `blockedReason` may be null (decisions, section 4). */
export const blocking = shape<NonNullable<BlockPartnerUserMutation['blockUserFromJson']['user']>>({
  userId: [text, ({ id }) => id],
  blocked: [flag, ({ blocked }) => blocked],
  blockedAt: [nullable(time), ({ blockedAt }) => blockedAt, 'nullable'],
  blockedReason: [nullable(text), ({ blockedReason }) => blockedReason, 'nullable'],
});

/** An identity-check ticket. */
export const ticketRecord = shape<Ticket>({
  ticketId: [text, ({ id }) => id],
  widgetUrl: [text, ({ widgetUrl }) => widgetUrl],
  referenceId: [text, ({ referenceId }) => referenceId],
});

/** A data request that the partner answered. */
export const fulfilment = shape<Fulfilled>({
  dataRequestId: [text, ({ id }) => id],
  status: [{ const: 'fulfilled' }, ({ status }) => status.toLowerCase()],
  linkId: [text, ({ linkId }) => linkId],
  message: [text, () => 'The data was merged into the user data of the link.'],
  fulfilledAt: [time, ({ fulfilledAt }) => fulfilledAt, 'nullable'],
});

/** The partner, and the permissions of its key. */
export const partner = shape<PartnerMeQuery['me']>({
  partnerId: [text, ({ id }) => id],
  name: [text, ({ name }) => name],
  environment: [
    { ...text, enum: inLowerCase(PartnerEnvironment) },
    ({ environment }) => environment.toLowerCase(),
  ],
  scopes: [texts, ({ scopes }) => scopes],
  features: [texts, ({ features }) => features],
  flows: [texts, ({ flows }) => flows],
});

/** The webhook configuration. `webhookUrl` and `webhookSecretPreview` are left out when there is none. */
export const webhookConfiguration = shape<PartnerWebhookConfigQuery['webhookConfig']>({
  webhookUrl: [text, ({ webhookUrl }) => webhookUrl, 'optional'],
  webhookSecretPreview: [text, ({ webhookSecretPreview }) => webhookSecretPreview, 'optional'],
  hasWebhookSecret: [flag, ({ hasWebhookSecret }) => hasWebhookSecret],
});

const quoteCurrencies = shape<Quote['currency']>({
  source: [currency, ({ source }) => source],
  destination: [currency, ({ destination }) => destination],
});

/** A price. Its numbers have the digits of the graph. */
export const quoteRecord = shape<Quote>({
  send: [amount, ({ send }) => exactNumber(send)],
  receive: [amount, ({ receive }) => exactNumber(receive)],
  rate: [amount, ({ rate }) => exactNumber(rate)],
  fee: [amount, ({ fee }) => exactNumber(fee)],
  currency: [quoteCurrencies.schema, (quote) => quoteCurrencies(quote.currency)],
});
