import { type Connection, mapNodes } from '../../graph/connection.ts';
import { mergePages } from '../../graph/merge-pages.ts';
import type { Page } from '../../graph/paginate.ts';
import { type AccountUser, MOST_COUNTED, type PaymentSource } from '../../graph/payment-source.ts';
import { mergeTotals, type Total } from '../../kernel/database/totals.ts';
import {
  type OperationPayments,
  type OperationRecord,
  PARTNER_STATUS_OF,
  type PartnerStatus,
  type ReservationDocument,
} from '../../operations/index.ts';
import type { RemittanceDocument } from '../../remittances/index.ts';
import type { MoneyRequestStatus } from '../lifecycle.ts';
import type { MoneyRequest } from '../store/model.ts';

/** The record that begins a payment. Every operation has one. */
export type Origin =
  | { readonly kind: 'MONEY_REQUEST'; readonly stored: MoneyRequest }
  | { readonly kind: 'ATOMIC_CALL'; readonly stored: RemittanceDocument }
  | { readonly kind: 'REQUEST_V2'; readonly stored: ReservationDocument };

/** A payment: the record that began it, and its operation once there is one. */
export interface UserPayment {
  readonly origin: Origin;
  readonly operation: OperationRecord | undefined;
}

/** The payments of a user, each once, whatever records it has. */
export interface UserPayments {
  /** Newest first, by the beginning of each payment: its place stays when it gets an operation. */
  page(user: AccountUser, page: Page): Promise<Connection<UserPayment>>;
  totals(user: AccountUser): Promise<PaymentSums>;
  /** When the user's newest payment began, or an operation of the user last changed, whichever is later; undefined for neither. */
  lastActivityAt(user: AccountUser): Promise<Date | undefined>;
}

/** Totals of a user's payments for each currency. */
export interface PaymentSums {
  readonly all: readonly Total[];
  /** Those whose money was paid out. */
  readonly completed: readonly Total[];
  /** Whether every payment is counted: false for a user with 10,000 or more payments of one kind, or completed ones of all kinds. */
  readonly isWhole: boolean;
}

interface Deps {
  readonly moneyRequests: PaymentSource<MoneyRequest>;
  readonly remittances: PaymentSource<RemittanceDocument>;
  readonly operations: OperationPayments;
}

export function createUserPayments({ moneyRequests, remittances, operations }: Deps): UserPayments {
  const sources = [moneyRequests, remittances, operations.requests];
  return {
    page: async (user, page) => {
      const parts = await Promise.all([
        originsOf(moneyRequests, (stored) => ({ kind: 'MONEY_REQUEST', stored }), user, page),
        originsOf(remittances, (stored) => ({ kind: 'ATOMIC_CALL', stored }), user, page),
        originsOf(operations.requests, (stored) => ({ kind: 'REQUEST_V2', stored }), user, page),
      ]);
      const merged = mergePages(parts, page, placeOf);
      const ids = merged.nodes.flatMap((origin) => operationIdOf(origin) ?? []);
      const found = await operations.findOperations(user.accountId, ids);
      return mapNodes(merged, (origin) => ({ origin, operation: found.get(operationIdOf(origin) ?? '') }));
    },
    totals: async (user) => {
      const [completed, ...kinds] = await Promise.all([
        operations.completed(user),
        ...sources.map((source) => source.totals(user)),
      ]);
      const isWhole = [completed, ...kinds].every((totals) => sumOf(totals) < MOST_COUNTED);
      return { all: mergeTotals(kinds.flat()), completed, isWhole };
    },
    lastActivityAt: async (user) => {
      const times = await Promise.all([
        operations.changedAt(user),
        ...sources.map((source) => source.newestAt(user)),
      ]);
      const known = times.flatMap((time) => time?.getTime() ?? []);
      return known.length === 0 ? undefined : new Date(Math.max(...known));
    },
  };
}

async function originsOf<Stored>(
  source: PaymentSource<Stored>,
  toOrigin: (stored: Stored) => Origin,
  user: AccountUser,
  page: Page,
): Promise<Connection<Origin>> {
  return mapNodes(await source.page(user, page), toOrigin);
}

/** The partner's id of a payment: the reference of a money request, or the correlation id. */
export function idOf({ kind, stored }: Origin): string {
  switch (kind) {
    case 'MONEY_REQUEST':
      return stored.referenceId;
    case 'ATOMIC_CALL':
      return stored.correlationId;
    case 'REQUEST_V2':
      return stored.operationId;
  }
}

/** The amount that the recipient gets. */
export function amountOf({ kind, stored }: Origin): { amount: string; currency: string } {
  switch (kind) {
    case 'MONEY_REQUEST':
      return { amount: stored.amount, currency: stored.currency };
    case 'ATOMIC_CALL':
      return { amount: stored.quote.recipientAmount, currency: stored.quote.recipientCurrency };
    case 'REQUEST_V2':
      return { amount: stored.recipientAmount, currency: stored.recipientCurrency };
  }
}

const MONEY_REQUEST_STATUS: Readonly<Record<MoneyRequestStatus, PartnerStatus>> = {
  pending: 'pending',
  processing: 'processing',
  completed: 'completed',
  rejected: 'failed',
  cancelled: 'cancelled',
};

/** The status of document 3: that of the operation; without one, of the record that began the payment. */
export function statusOf({ origin: { kind, stored }, operation }: UserPayment): PartnerStatus {
  if (operation) {
    return PARTNER_STATUS_OF[operation.status];
  }
  if (kind === 'MONEY_REQUEST') {
    return MONEY_REQUEST_STATUS[stored.status];
  }
  return stored.status === 'FAILED' ? 'failed' : 'pending';
}

/** The user's contact that pays; undefined for a payer who is none, or not yet. */
export function payerOf({ origin: { kind, stored }, operation }: UserPayment): string | undefined {
  return operation?.contactId ?? (kind === 'ATOMIC_CALL' ? stored.contactId : undefined);
}

/** When one of the records of a payment last changed. */
export function changedAt({ origin: { stored }, operation }: UserPayment): Date {
  return operation && operation.updatedAt > stored.updatedAt ? operation.updatedAt : stored.updatedAt;
}

/** The id of the operation, if there is one: an operation of document 1 has the correlation id. */
function operationIdOf(origin: Origin): string | undefined {
  if (origin.kind === 'MONEY_REQUEST') {
    return origin.stored.operationId;
  }
  return origin.stored.status === 'SUCCEEDED' ? idOf(origin) : undefined;
}

function placeOf({ kind, stored }: Origin) {
  return { createdAt: stored.createdAt, id: kind === 'MONEY_REQUEST' ? stored.requestId : stored._id };
}

function sumOf(totals: readonly Total[]): number {
  return totals.reduce((sum, { count }) => sum + count, 0);
}
