import { LosslessNumber } from 'lossless-json';
import { PARTNER_STATUS_OF } from '../../subgraphs/operations/index.ts';
import { inPascalCase, paymentMethodType } from '../shared/enum-names.ts';
import { omitAbsent } from '../shared/reply.ts';

type Json = Readonly<Record<string, unknown>>;

export interface NameNode {
  firstName: string | null;
  secondName: string | null;
  lastName: string | null;
  secondLastName: string | null;
}

interface MoneyNode {
  amount: string;
  currency: string;
}

/** A link as `partnerLinks.graphql` selects it. */
export interface ListedLink {
  id: string;
  referenceId: string;
  status: string;
  url: string;
  expiresAt: string;
  createdAt: string;
  openedAt: string | null;
  revokedAt: string | null;
  user: { id: string } | null;
  operation: { id: string } | null;
  userData: { name: NameNode | null } | null;
  metadata: Json | null;
}

interface LinkUserNode {
  id: string;
  blocked: boolean;
  cipStatus: string;
  cipProvider: string | null;
  cipVerifiedAt: string | null;
  cipResult: Json | null;
}

/** What the amounts of an operation are made of. */
export interface PricedOperation {
  id: string;
  status: string;
  amount: MoneyNode | null;
  sender: MoneyNode | null;
  recipient: MoneyNode;
  exchangeRate: string | null;
  tenantFee: MoneyNode | null;
}

/** A link as the fragment of `partnerLink.graphql` selects it. */
export interface FoundLink extends Omit<ListedLink, 'user' | 'operation' | 'userData'> {
  user: LinkUserNode | null;
  operation: PricedOperation | null;
  userData: {
    name: NameNode | null;
    idType: string | null;
    idNumber: string | null;
    dob: string | null;
    paymentMethod: Json | null;
    idImageUrl: string | null;
  } | null;
}

export interface UserNode extends NameNode {
  id: string;
  referenceId: string | null;
  cipStatus: string;
  blocked: boolean;
  createdAt: string;
}

/** An operation as the fragment of `partnerOperation.graphql` selects it. */
export interface OperationNode extends PricedOperation {
  platId: string;
  recipientReferenceId: string | null;
  user: { id: string; referenceId: string | null } | null;
  link: { id: string; referenceId: string } | null;
  destinationPaymentMethod: {
    type: string;
    country: string;
    currency: string | null;
    number: string | null;
  } | null;
  createdAt: string;
  updatedAt: string;
  completedAt: string | null;
  failedAt: string | null;
  failureReason: string | null;
}

export interface ActivityNode {
  id: string;
  type: string;
  actor: string;
  occurredAt: string;
  status: string;
  data: Json | null;
  error: string | null;
  durationMs: number | null;
}

/** Document 3, "Link", as far as lists have it. */
export function listedLink(link: ListedLink) {
  return omitAbsent({
    ...linkHead(link),
    userId: link.user?.id,
    operationId: link.operation?.id,
    userData: link.userData?.name ? { name: nameOf(link.userData.name) } : undefined,
    metadata: link.metadata,
  });
}

/** Document 3, "Link". */
export function foundLink(link: FoundLink) {
  const { user, operation, userData } = link;
  return omitAbsent({
    ...linkHead(link),
    userId: user?.id,
    userData: userData === null ? undefined : userDataOf(userData),
    user: user === null ? undefined : linkUser(user),
    operation: operation === null ? undefined : operationSummary(operation),
    metadata: link.metadata,
  });
}

function linkHead(link: Pick<ListedLink, keyof ListedLink & keyof FoundLink>) {
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
}: NonNullable<FoundLink['userData']>) {
  const named = name ? nameOf(name) : undefined;
  return omitAbsent({ name: named, idType, idNumber, dob, paymentMethod, idImageUrl });
}

function linkUser(user: LinkUserNode) {
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
export function userRecord(user: UserNode) {
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
export function operationRecord(operation: OperationNode) {
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

function payoutOf({ destinationPaymentMethod: method, recipient }: OperationNode) {
  return omitAbsent({
    type: method ? paymentMethodType(method.type) : undefined,
    country: method?.country,
    number: method?.number,
    ...moneyOf(recipient),
  });
}

function moneyOf({ amount, currency }: MoneyNode) {
  return { amount: new LosslessNumber(amount), currency };
}

/** Document 3, "Operation (detail)", `amount`. */
function amountOf({ sender, recipient, exchangeRate, tenantFee }: PricedOperation) {
  return omitAbsent({
    send: numberOf(sender?.amount),
    receive: numberOf(recipient.amount),
    rate: numberOf(exchangeRate),
    fee: numberOf(tenantFee?.amount),
    currency: omitAbsent({ source: sender?.currency, destination: recipient.currency }),
  });
}

/** A decimal string as a JSON number of these very digits. */
export function numberOf(decimal: string | null | undefined): LosslessNumber | undefined {
  return decimal == null ? undefined : new LosslessNumber(decimal);
}

/** Document 3, "Activity entry". */
export function activityEntry(activity: ActivityNode) {
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

function nameOf({ firstName, secondName, lastName, secondLastName }: NameNode) {
  return omitAbsent({ firstName, secondName, lastName, secondLastName });
}

const STATUSES: ReadonlyMap<string, string> = new Map(Object.entries(PARTNER_STATUS_OF));

/** Document 3 tells five statuses for document 1's eleven (decisions, section 4). */
function publicStatus(status: string): string {
  const told = STATUSES.get(inPascalCase(status));
  if (told === undefined) {
    throw new TypeError(`No status of document 3 stands for ${status}`);
  }
  return told;
}

/** Decisions, section 4, "Activity types". */
const ACTIVITY_TYPES: Readonly<Record<string, string>> = {
  LINK_CREATED: 'link.created',
  LINK_OPENED: 'link.opened',
  LINK_REVOKED: 'link.revoked',
  CIP_TICKET_CREATED: 'cip.ticket_created',
  CIP_VERIFIED: 'cip.verified',
  CIP_FAILED: 'cip.failed',
  DATA_REQUEST_CREATED: 'data_request.created',
  DATA_REQUEST_FULFILLED: 'data_request.fulfilled',
  OPERATION_CREATED: 'operation.created',
  OPERATION_STATUS_CHANGED: 'operation.status_changed',
};

function activityType(type: string): string {
  const told = ACTIVITY_TYPES[type];
  if (told === undefined) {
    throw new TypeError(`No activity of document 3 stands for ${type}`);
  }
  return told;
}
