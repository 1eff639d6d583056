import { environmentOf } from '../../kernel/account.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import { callFunding, type RequestedOperation } from '../../operations/index.ts';
import type { ProviderAnswer, ProviderCall } from '../../providers/types.ts';
import { verifyPaymentMethod } from '../../users/index.ts';
import type { PipelineDeps } from '../deps.ts';
import type { Phase } from '../lifecycle.ts';
import type { RemittanceDocument } from '../store/model.ts';
import type { RemittanceInput } from '../store/sealed-input.ts';

type Deps = Pick<PipelineDeps, 'users' | 'operations' | 'providers'>;

/** One step of a running remittance. */
export interface Step {
  readonly remittance: RemittanceDocument;
  readonly input: RemittanceInput;
  /** When its effect is saved. */
  readonly at: Date;
}

/** The fields that a phase leaves in the remittance for later phases. */
type Made = Partial<Pick<RemittanceDocument, 'contactId' | 'paymentMethodId'>>;

/** The work of a phase: its call of a provider, outside of transactions, and then its writes, in one transaction. */
interface PhaseWork {
  /**
   * The call. It is made again with the same key when a process dies before the answer is saved. A phase without a call needs
   * no transaction of its own: it is saved with the phase before it.
   */
  callProvider?(deps: Deps, step: Step, call: ProviderCall): Promise<ProviderAnswer<ErrorCode>>;
  saveAccepted(deps: Deps, step: Step, unit: UnitOfWork): Promise<Made>;
  /** The changes of a provider's rejection beside the remittance, if any. */
  saveRejection?(deps: Deps, step: Step, code: ErrorCode, unit: UnitOfWork): Promise<void>;
}

/** The work of each phase (document 1, "Asynchronous worker order"). */
export const PHASE_WORK: Readonly<Record<Phase, PhaseWork>> = {
  CIP: {
    callProvider: ({ providers }, { input }, call) => providers.identity.check(input.person, call),
    saveAccepted: async (deps, step, unit) => {
      await recordIdentityCheck(deps, step, 'verified', unit);
      return {};
    },
    saveRejection: async (deps, step, code, unit) => {
      // The other codes say that there was no check, not that the person has failed it.
      if (code === 'ERROR_CIP_NOT_COMPLETED') {
        await recordIdentityCheck(deps, step, 'failed', unit);
      }
    },
  },
  CONTACT: {
    saveAccepted: async ({ users }, { remittance: { accountId, userId }, input: { contact }, at }, unit) => {
      const { contactId } = await users.keepContact({ accountId, userId, contact, at }, unit);
      return { contactId };
    },
  },
  PAYMENT_METHOD: {
    callProvider: ({ providers }, { input: { method } }, call) =>
      verifyPaymentMethod(providers, method, call),
    saveAccepted: async ({ users }, { remittance, input: { method }, at }, unit) => {
      const { accountId, userId } = remittance;
      const kept = { accountId, userId, method, at };
      const { paymentMethodId } = await users.keepPaymentMethod(kept, unit);
      return { paymentMethodId };
    },
  },
  REQUEST_MONEY: {
    callProvider: (
      { providers },
      { remittance: { accountId, correlationId, quote }, input: { contact } },
      call,
    ) =>
      callFunding(providers.funding, { accountId, operationId: correlationId, payer: contact, quote }, call),
    saveAccepted: async ({ operations }, step, unit) => {
      await operations.request(toOperation(step), unit);
      return {};
    },
  },
};

async function recordIdentityCheck(
  { users, providers }: Deps,
  { remittance: { accountId, userId }, at }: Step,
  status: 'verified' | 'failed',
  unit: UnitOfWork,
): Promise<void> {
  const provider = providers.identity.names[environmentOf(accountId)];
  await users.recordIdentityCheck({ accountId, userId, status, provider, at }, unit);
}

/** The operation that a remittance asks for. @param step a remittance that has come to `REQUEST_MONEY` */
export function toOperation({
  remittance,
  input: { reason },
  at,
}: Omit<Step, 'input'> & { readonly input: Pick<RemittanceInput, 'reason'> }): RequestedOperation {
  const { accountId, correlationId, userId, contactId, paymentMethodId, quote, countries, attributionLink } =
    remittance;
  if (contactId === undefined || paymentMethodId === undefined) {
    throw new TypeError('The phases before have made contact and payment method');
  }
  return {
    accountId,
    operationId: correlationId,
    userId,
    contactId,
    paymentMethodId,
    quote,
    countries,
    ...(reason === undefined ? {} : { reason }),
    attributionLink,
    at,
  };
}
