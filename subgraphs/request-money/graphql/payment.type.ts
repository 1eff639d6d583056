import { createUnionType, Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { Money } from '../../graph/money.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CurrencyCodeScalar, DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { PartnerStatus } from '../../operations/index.ts';
import { Operation, Remittance, toRemittance } from '../../remittances/index.ts';
import {
  amountOf,
  changedAt,
  idOf,
  type Origin,
  type PaymentSums,
  payerOf,
  statusOf,
  type UserPayment,
} from '../use-cases/user-payments.ts';
import { RequestMoney, toRequestMoney } from './request-money.type.ts';

type PaymentKind = Origin['kind'];
const PaymentKind = textEnum<PaymentKind>('PaymentKind', 'How a payment began.', {
  MONEY_REQUEST: 'By a money request, which the payer pays by a link (document 2).',
  ATOMIC_CALL: 'By an atomic call, `request-money-full` (document 1).',
  REQUEST_V2: 'By `request-money-v2` (document 1).',
});

type PaymentStatus = PartnerStatus;
const PaymentStatus = textEnum<PartnerStatus>(
  'PaymentStatus',
  'Status of a payment, whatever records it has. The record has a status of its own, with more detail.',
  {
    pending: 'The payer is not asked yet, has not paid, or is paying.',
    processing: 'The money has arrived and is not paid out yet, or the payment is held for review.',
    completed: 'The money was paid out. Final.',
    failed: 'It failed, or was rejected. Final, unless the payer turns out to have paid.',
    cancelled: 'It was cancelled or expired. Final.',
  },
);

@ObjectType({ description: 'A person whom a user asks for money.' })
@Directive('@key(fields: "id", resolvable: false)')
class Contact {
  @Field(() => ID, { description: 'Id of the contact.' })
  id!: string;
}

@ObjectType({ description: 'A request by `request-money-v2`.' })
@Directive('@key(fields: "correlationId", resolvable: false)')
class Reservation {
  @Field(() => ID, { description: 'Id that the partner gave the request; the operation has the same id.' })
  correlationId!: string;
}

/** Instances of the classes, by which type-graphql finds the type without a promise, as compiled operations require. */
type PaymentRecord = Operation | RequestMoney | Remittance | Reservation;
const PaymentRecord = createUnionType({
  name: 'PaymentRecord',
  description: 'A record of a payment.',
  types: () => [Operation, RequestMoney, Remittance, Reservation] as const,
});

@ObjectType({
  description:
    'A payment of a user. A money request and the operation that fulfils it are one payment, as are an atomic call or a request by v2 and its operation.',
})
@RequiresScopes('partner')
class Payment {
  @Field(() => ID, {
    description: 'Id that the partner gave the payment: the referenceId or the correlationId.',
  })
  id!: string;

  @Field(() => PaymentKind, { description: 'How the payment began.' })
  kind!: PaymentKind;

  @Field(() => PaymentStatus, { description: 'Status of the payment.' })
  status!: PaymentStatus;

  @Field(() => Money, { description: 'Amount that the recipient gets.' })
  amount!: Money;

  @Field(() => Contact, {
    nullable: true,
    description:
      'Payer, if the payer is a contact of the user. Null for a payer who pays by a link, and until an atomic call or a request by v2 has made the payer a contact.',
  })
  payer!: Contact | null;

  @Field(() => PaymentRecord, {
    description:
      'Latest record of the payment: its operation; before there is one, the money request, atomic call or request by v2.',
  })
  record!: PaymentRecord;

  @Field(() => DateTimeScalar, { description: 'When the payment began.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When one of its records last changed.' })
  updatedAt!: Date;
}

/** The GraphQL shape of a payment. @param now decides which atomic calls are stuck */
export function toPayment(payment: UserPayment, now: Date): Payment {
  const { origin } = payment;
  const payer = payerOf(payment);
  return {
    id: idOf(origin),
    kind: origin.kind,
    status: statusOf(payment),
    amount: amountOf(origin),
    payer: payer === undefined ? null : { id: payer },
    record: toRecord(payment, now),
    createdAt: origin.stored.createdAt,
    updatedAt: changedAt(payment),
  };
}

function toRecord({ origin: { kind, stored }, operation }: UserPayment, now: Date): PaymentRecord {
  if (operation) {
    return Object.assign(new Operation(), { id: operation.operationId });
  }
  switch (kind) {
    case 'MONEY_REQUEST':
      return Object.assign(new RequestMoney(), toRequestMoney(stored));
    case 'ATOMIC_CALL':
      return Object.assign(new Remittance(), toRemittance(stored, now));
    case 'REQUEST_V2':
      return Object.assign(new Reservation(), { correlationId: stored.operationId });
  }
}

@ObjectType({ description: 'A page of payments.' })
export class PaymentConnection extends connectionType(Payment, 'Payment') {}

@ObjectType({ description: "Number and sum of a user's payments in one currency." })
class PaymentTotal {
  @Field(() => CurrencyCodeScalar, { description: 'Currency in which the recipient is paid.' })
  currency!: string;

  @Field(() => Int, { description: 'Number of payments, of every status.' })
  count!: number;

  @Field(() => Money, { description: 'Exact sum of their amounts.' })
  amount!: Money;

  @Field(() => Int, { description: 'Number of them that are completed.' })
  completedCount!: number;

  @Field(() => Money, { description: 'Exact sum of the amounts of those that are completed.' })
  completedAmount!: Money;
}

@ObjectType({ description: "Number and sums of a user's payments." })
export class PaymentTotals {
  @Field(() => [PaymentTotal], { description: 'Totals by currency, in alphabetical order.' })
  currencies!: PaymentTotal[];

  @Field(() => Boolean, {
    description:
      'Whether all payments are counted. False for a user with 10,000 or more payments of one kind, or completed payments of all kinds: then the newest 10,000 of each are counted.',
  })
  isWhole!: boolean;
}

/** The GraphQL shape of the totals of a user's payments. */
export function toPaymentTotals({ all, completed, isWhole }: PaymentSums): PaymentTotals {
  const done = new Map(completed.map((total) => [total.currency, total]));
  return {
    currencies: all.map(({ currency, count, amount }) => {
      const { count: completedCount, amount: paid } = done.get(currency) ?? { count: 0, amount: '0' };
      return {
        currency,
        count,
        amount: { amount, currency },
        completedCount,
        completedAmount: { amount: paid, currency },
      };
    }),
    isWhole,
  };
}
