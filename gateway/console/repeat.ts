import { type CreateRequestMoneyInput, PayoutMethod } from './documents/types.ts';
import type { DataOf } from './graph.ts';

/** The facts of a logged request that say whether it can be sent anew. */
interface LoggedRequest {
  readonly method: string | null;
  readonly path: string | null;
  readonly operation: string | null;
  readonly subjects: readonly string[];
}

/** The form of a money request's reference. */
const REFERENCE = /^[a-zA-Z0-9]{8}$/;
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/**
 * The reference of the money request that a logged request has created, or has tried to. Undefined for other requests: they
 * change a record, and its screen has the act. Partners name their own operations of the graph, so those are unknown.
 */
export function createdReference({ method, path, operation, subjects }: LoggedRequest): string | undefined {
  const isCreate =
    (method === 'POST' && path === '/v1/request-money') || operation === 'ConsoleCreateRequestMoney';
  return isCreate ? subjects.find((id) => REFERENCE.test(id)) : undefined;
}

/** A reference that is new in all likelihood: 8 characters of 32. */
export function newReference(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => LETTERS[byte % LETTERS.length]).join(
    '',
  );
}

/**
 * The values of a new money request, as a person edits them. `payout` is the account number or the provider of the cash. A
 * payout to a card is not here, because no card number is entered in the console.
 */
export interface NewRequest {
  readonly referenceId: string;
  readonly amount: string;
  readonly currency: string;
  readonly userReferenceId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly country: string;
  readonly state: string;
  readonly payoutMethod: 'BANK_ACCOUNT' | 'CASH';
  readonly payout: string;
}

export const NOTHING_KNOWN: Omit<NewRequest, 'referenceId'> = {
  ...{ amount: '', currency: '', userReferenceId: '', firstName: '', lastName: '', country: '', state: '' },
  ...{ payoutMethod: 'BANK_ACCOUNT', payout: '' },
};

type Stored = Pick<
  NonNullable<DataOf<'moneyRequest'>['requestMoney']>,
  'amount' | 'userReferenceId' | 'resolved' | 'user'
>;

/** The values that a money request still has. Its state and its payout are not among them. */
export function valuesOf({ amount, userReferenceId, resolved, user }: Stored): Partial<NewRequest> {
  return {
    amount: amount.amount,
    currency: amount.currency,
    userReferenceId,
    firstName: user?.firstName ?? '',
    lastName: user?.lastName ?? '',
    country: resolved.destinationCountry,
    payoutMethod: resolved.payoutType === 'CASH' ? 'CASH' : 'BANK_ACCOUNT',
  };
}

/** The input of the mutation. */
export function inputOf(values: NewRequest): CreateRequestMoneyInput {
  const { referenceId, amount, currency, userReferenceId, firstName, lastName, country, state } = values;
  const { payoutMethod, payout } = values;
  return {
    ...{ referenceId, amount, currency },
    requestData: {
      userReferenceId,
      name: { firstName, lastName },
      address: { country, ...(state !== '' && { state }) },
      ...(payoutMethod === 'CASH'
        ? { payoutMethod: PayoutMethod.CASH, cash: { provider: payout } }
        : { payoutMethod: PayoutMethod.BANK_ACCOUNT, bankAccount: { accountNumber: payout } }),
    },
  };
}
