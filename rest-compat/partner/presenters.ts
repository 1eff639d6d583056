import type { Payload } from '../shared/outcome.ts';
import { found, missing, ofData, ofPayload, type Presenter } from '../shared/presenter.ts';
import { omitAbsent } from '../shared/reply.ts';
import {
  type ActivityNode,
  activityEntry,
  type FoundLink,
  foundLink,
  type ListedLink,
  listedLink,
  numberOf,
  type OperationNode,
  operationRecord,
  type UserNode,
  userRecord,
} from './records.ts';

/** A page as the hidden lists of the graph answer it. */
interface PageNode<Item> extends Payload {
  readonly items: readonly Item[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
}

/** `{items, pagination}` (document 3, "Pagination wrapper"). */
function pageOf<Item>(field: string, toItem: (item: Item) => unknown): Presenter {
  return ofPayload(field, ({ items, page, limit, total, totalPages }: PageNode<Item>) => ({
    items: items.map(toItem),
    pagination: { page, limit, total, totalPages },
  }));
}

export const presentLinks = pageOf<ListedLink>('linkPage', listedLink);
export const presentUsers = pageOf<UserNode>('userPage', userRecord);
export const presentOperations = pageOf<OperationNode>('operationPage', operationRecord);

export const presentLink = ofData(({ link }: { link: FoundLink | null }) =>
  link ? found(foundLink(link)) : missing('LINK_NOT_FOUND'),
);

export const presentActivity = ofData(
  ({
    linkActivity: activities,
    link,
  }: {
    linkActivity: readonly ActivityNode[] | null;
    link: { id: string } | null;
  }) =>
    activities && link
      ? found({ linkId: link.id, activities: activities.map(activityEntry) })
      : missing('LINK_NOT_FOUND'),
);

export const presentCreatedLink = ofPayload('createLinkFromJson', linkOf);
export const presentRevokedLink = ofPayload('revokeLinkById', linkOf);

function linkOf({ link }: Payload & { link: FoundLink }) {
  return foundLink(link);
}

interface Readiness {
  readonly link: { id: string; readiness: { ready: boolean; missing: readonly string[] } } | null;
}

export const presentReadiness = ofData(({ link }: Readiness) =>
  link
    ? found({ linkId: link.id, ready: link.readiness.ready, missing: link.readiness.missing })
    : missing('LINK_NOT_FOUND'),
);

interface BlockedUser extends Payload {
  readonly user: { id: string; blocked: boolean; blockedAt: string | null; blockedReason: string | null };
}

export const presentBlocked = ofPayload('blockUserFromJson', blockResult);
export const presentUnblocked = ofPayload('unblockUserById', blockResult);

/** Both last values may be null (decisions, section 4). */
function blockResult({ user: { id, blocked, blockedAt, blockedReason } }: BlockedUser) {
  return { userId: id, blocked, blockedAt, blockedReason };
}

interface Ticket extends Payload {
  readonly ticket: { id: string; widgetUrl: string; referenceId: string };
}

export const presentTicket = ofPayload('createCipTicketFromJson', ({ ticket }: Ticket) => ({
  ticketId: ticket.id,
  widgetUrl: ticket.widgetUrl,
  referenceId: ticket.referenceId,
}));

interface Fulfilled extends Payload {
  readonly dataRequest: { id: string; status: string; linkId: string; fulfilledAt: string };
}

export const presentFulfilled = ofPayload('fulfilDataRequestFromJson', ({ dataRequest }: Fulfilled) => ({
  dataRequestId: dataRequest.id,
  status: dataRequest.status.toLowerCase(),
  linkId: dataRequest.linkId,
  message: 'The data was merged into the user data of the link.',
  fulfilledAt: dataRequest.fulfilledAt,
}));

export const presentOperation = ofData(({ operation }: { operation: OperationNode | null }) =>
  operation ? found(operationRecord(operation)) : missing('OPERATION_NOT_FOUND'),
);

interface Me {
  readonly me: {
    id: string;
    name: string;
    environment: string;
    scopes: readonly string[];
    features: readonly string[];
    flows: readonly string[];
  };
}

export const presentMe = ofData(({ me: { id, environment, name, scopes, features, flows } }: Me) =>
  found({ partnerId: id, name, environment: environment.toLowerCase(), scopes, features, flows }),
);

interface WebhookConfig {
  readonly webhookConfig: {
    webhookUrl: string | null;
    webhookSecretPreview: string | null;
    hasWebhookSecret: boolean;
  };
}

export const presentWebhookConfig = ofData(({ webhookConfig }: WebhookConfig) => {
  const { webhookUrl, webhookSecretPreview, hasWebhookSecret } = webhookConfig;
  return found(omitAbsent({ webhookUrl, webhookSecretPreview, hasWebhookSecret }));
});

interface Regenerated extends Payload {
  readonly webhookSecret: string;
  readonly message: string;
}

export const presentRegenerated = ofPayload(
  'regenerateWebhookSecret',
  ({ webhookSecret, message }: Regenerated) => ({ webhookSecret, message }),
);

interface Quoted extends Payload {
  readonly quote: {
    send: string;
    receive: string;
    rate: string;
    fee: string;
    currency: { source: string; destination: string };
  };
}

export const presentQuote = ofPayload('preQuoteLiteFromJson', ({ quote }: Quoted) => ({
  send: numberOf(quote.send),
  receive: numberOf(quote.receive),
  rate: numberOf(quote.rate),
  fee: numberOf(quote.fee),
  currency: { source: quote.currency.source, destination: quote.currency.destination },
}));
