import type {
  BlockPartnerUserMutation,
  CreatePartnerCipTicketMutation,
  FulfilPartnerDataRequestMutation,
  LinkActivityType,
  OperationStatus,
  PartnerLinkActivityQuery,
  PartnerLinkFragment,
  PartnerLinkReadinessQuery,
  PartnerLinksQuery,
  PartnerMeQuery,
  PartnerOperationFragment,
  PartnerPreQuoteMutation,
  PartnerUsersQuery,
  PartnerWebhookConfigQuery,
} from '../../schema/operations/types.ts';
import { ACTIVITY_TYPES } from '../../subgraphs/links/index.ts';
import { PARTNER_STATUS_OF, type PartnerStatus } from '../../subgraphs/operations/index.ts';
import { inPascalCase, paymentMethodType } from '../shared/enum-names.ts';
import { type Outcome, type Payload, payloadOutcome } from '../shared/outcome.ts';
import { exactNumber, omitAbsent } from '../shared/reply.ts';

type ListedLink = PartnerLinksQuery['linkPage']['items'][number];
type LinkUser = NonNullable<PartnerLinkFragment['user']>;
type PricedOperation = NonNullable<PartnerLinkFragment['operation']>;
type Activity = NonNullable<PartnerLinkActivityQuery['linkActivity']>[number];
type User = PartnerUsersQuery['userPage']['items'][number];
type Name = Pick<User, 'firstName' | 'secondName' | 'lastName' | 'secondLastName'>;

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

/** Document 3, "Link", with the keys that lists have. */
export function listedLink(link: ListedLink) {
  return omitAbsent({
    ...linkHead(link),
    userId: link.user?.id,
    operationId: link.operation?.id,
    userData: link.userData.name ? { name: nameOf(link.userData.name) } : undefined,
    metadata: link.metadata,
  });
}

/** Document 3, "Link". */
export function foundLink(link: PartnerLinkFragment) {
  const { user, operation, userData } = link;
  return omitAbsent({
    ...linkHead(link),
    userId: user?.id,
    userData: userDataOf(userData),
    user: user && linkUser(user),
    operation: operation && operationSummary(operation),
    metadata: link.metadata,
  });
}

function linkHead(link: Omit<ListedLink, 'user' | 'operation' | 'userData'>) {
  return {
    linkId: link.id,
    referenceId: link.referenceId,
    status: link.status.toLowerCase(),
    url: link.url,
    expiresAt: link.expiresAt,
    createdAt: link.createdAt,
    openedAt: link.openedAt,
    revokedAt: link.revokedAt,
  };
}

function userDataOf({
  name,
  idType,
  idNumber,
  dob,
  paymentMethod,
  idImageUrl,
}: PartnerLinkFragment['userData']) {
  const named = name ? nameOf(name) : undefined;
  return omitAbsent({ name: named, idType, idNumber, dob, paymentMethod, idImageUrl });
}

function linkUser(user: LinkUser) {
  return omitAbsent({
    userId: user.id,
    status: user.blocked ? 'blocked' : 'active',
    cipStatus: user.cipStatus.toLowerCase(),
    cipProvider: user.cipProvider,
    cipVerifiedAt: user.cipVerifiedAt,
    cipResult: user.cipResult,
  });
}

function operationSummary(operation: PricedOperation) {
  const status = publicStatus(operation.status);
  return { operationId: operation.id, status, amount: amountOf(operation) };
}

/** Document 3, "User". */
export function userRecord(user: User) {
  return omitAbsent({
    userId: user.id,
    referenceId: user.referenceId,
    name: nameOf(user),
    cipStatus: user.cipStatus.toLowerCase(),
    blocked: user.blocked,
    createdAt: user.createdAt,
  });
}

/** Document 3, "Operation (detail)". */
export function operationRecord(operation: PartnerOperationFragment) {
  const { user, link } = operation;
  return omitAbsent({
    operationId: operation.id,
    userId: user?.id,
    linkId: link?.id,
    referenceId: link?.referenceId ?? user?.referenceId ?? operation.recipientReferenceId,
    raasOperationId: operation.platId,
    status: publicStatus(operation.status),
    amount: amountOf(operation),
    funding: operation.amount === null ? {} : moneyOf(operation.amount),
    payout: payoutOf(operation),
    createdAt: operation.createdAt,
    updatedAt: operation.updatedAt,
    completedAt: operation.completedAt,
    failedAt: operation.failedAt,
    failureReason: operation.failureReason,
  });
}

function payoutOf({ destinationPaymentMethod: method, recipient }: PartnerOperationFragment) {
  return omitAbsent({
    type: method ? paymentMethodType(method.type) : undefined,
    country: method?.country,
    number: method?.number,
    ...moneyOf(recipient),
  });
}

function moneyOf({ amount, currency }: PricedOperation['recipient']) {
  return { amount: exactNumber(amount), currency };
}

/** Document 3, "Operation (detail)", `amount`. */
function amountOf({ sender, recipient, exchangeRate, tenantFee }: PricedOperation) {
  return omitAbsent({
    send: exactNumber(sender?.amount),
    receive: exactNumber(recipient.amount),
    rate: exactNumber(exchangeRate),
    fee: exactNumber(tenantFee?.amount),
    currency: omitAbsent({ source: sender?.currency, destination: recipient.currency }),
  });
}

/** Document 3, "Activity entry". */
function activityEntry(activity: Activity) {
  return omitAbsent({
    activityId: activity.id,
    type: activityType(activity.type),
    actor: activity.actor.toLowerCase(),
    timestamp: activity.occurredAt,
    status: activity.status.toLowerCase(),
    data: activity.data,
    error: activity.error,
    durationMs: activity.durationMs,
  });
}

function nameOf({ firstName, secondName, lastName, secondLastName }: Name) {
  return omitAbsent({ firstName, secondName, lastName, secondLastName });
}

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

/** Document 3, "Activity timeline". */
export function timeline({
  link,
  linkActivity,
}: {
  readonly link: { readonly id: string };
  readonly linkActivity: readonly Activity[];
}) {
  return { linkId: link.id, activities: linkActivity.map(activityEntry) };
}

/** The link readiness check (decisions, section 4). */
export function readiness(link: NonNullable<PartnerLinkReadinessQuery['link']>) {
  const { ready, missing } = link.readiness;
  return { linkId: link.id, ready, missing };
}

/** Whether a user is blocked. `blockedAt` and `blockedReason` may be null (decisions, section 4). */
export function blocking(user: NonNullable<BlockPartnerUserMutation['blockUserFromJson']['user']>) {
  const { id, blocked, blockedAt, blockedReason } = user;
  return { userId: id, blocked, blockedAt, blockedReason };
}

/** An identity-check ticket. */
export function ticketRecord(
  ticket: NonNullable<CreatePartnerCipTicketMutation['createCipTicketFromJson']['ticket']>,
) {
  return { ticketId: ticket.id, widgetUrl: ticket.widgetUrl, referenceId: ticket.referenceId };
}

/** A data request that the partner answered. */
export function fulfilment(
  request: NonNullable<FulfilPartnerDataRequestMutation['fulfilDataRequestFromJson']['dataRequest']>,
) {
  return {
    dataRequestId: request.id,
    status: request.status.toLowerCase(),
    linkId: request.linkId,
    message: 'The data was merged into the user data of the link.',
    fulfilledAt: request.fulfilledAt,
  };
}

/** The partner, and the permissions of its key. */
export function partner({ id, environment, name, scopes, features, flows }: PartnerMeQuery['me']) {
  return { partnerId: id, name, environment: environment.toLowerCase(), scopes, features, flows };
}

/** The webhook configuration. `webhookUrl` and `webhookSecretPreview` are left out when there is none. */
export function webhookConfiguration(config: PartnerWebhookConfigQuery['webhookConfig']) {
  const { webhookUrl, webhookSecretPreview, hasWebhookSecret } = config;
  return omitAbsent({ webhookUrl, webhookSecretPreview, hasWebhookSecret });
}

/** A price. Its numbers have the digits of the graph. */
export function quoteRecord(quote: NonNullable<PartnerPreQuoteMutation['preQuoteLiteFromJson']['quote']>) {
  return {
    send: exactNumber(quote.send),
    receive: exactNumber(quote.receive),
    rate: exactNumber(quote.rate),
    fee: exactNumber(quote.fee),
    currency: { source: quote.currency.source, destination: quote.currency.destination },
  };
}
