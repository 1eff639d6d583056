import type { AccountId } from '../../kernel/account.ts';
import { tenantOf } from '../../kernel/account.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import type {
  FundingCode,
  FundingProvider,
  FundingRequest,
  ProviderAnswer,
  ProviderCall,
  WithdrawalAnswer,
} from '../../providers/types.ts';

/** A request for money, ready to be sent to its payer. */
export interface PayerRequest {
  readonly accountId: AccountId;
  readonly operationId: string;
  readonly payer: {
    readonly phoneNumber: string;
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
  };
  readonly quote: Quote;
}

/** The request in the form of the funding provider. */
function fundingRequestOf({ accountId, operationId, payer, quote }: PayerRequest): FundingRequest {
  const { phoneNumber, firstName, lastName } = payer;
  return {
    tenantId: tenantOf(accountId),
    operationId,
    payer: {
      phoneNumber,
      ...(firstName !== undefined && { firstName }),
      ...(lastName !== undefined && { lastName }),
    },
    amount: quote.amount,
    currency: quote.senderCurrency,
    recipientAmount: quote.recipientAmount,
    recipientCurrency: quote.recipientCurrency,
  };
}

/** Calls the funding provider, which requests the money of the payer. Never inside a transaction. */
export function callFunding(
  funding: FundingProvider,
  request: PayerRequest,
  call: ProviderCall,
): Promise<ProviderAnswer<FundingCode>> {
  return funding.request(fundingRequestOf(request), call);
}

/** Asks the funding provider to withdraw a request. @param call with the idempotency key of the request */
export function callWithdrawal(
  funding: FundingProvider,
  request: PayerRequest,
  call: ProviderCall,
): Promise<WithdrawalAnswer> {
  return funding.cancel(fundingRequestOf(request), call);
}
