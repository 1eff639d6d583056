import type { Quote } from '../../platform/money/quote.ts';
import type {
  FundingCode,
  FundingProvider,
  ProviderAnswer,
  ProviderCall,
} from '../../platform/providers/types.ts';

/** A request for money, ready to be sent to its payer. */
export interface PayerRequest {
  readonly tenantId: string;
  readonly operationId: string;
  readonly payer: {
    readonly phoneNumber: string;
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
  };
  readonly quote: Quote;
}

/** Calls the funding provider, which requests the money of the payer. Never inside a transaction. */
export function callFunding(
  funding: FundingProvider,
  { tenantId, operationId, payer, quote }: PayerRequest,
  call: ProviderCall,
): Promise<ProviderAnswer<FundingCode>> {
  const { phoneNumber, firstName, lastName } = payer;
  return funding.request(
    {
      tenantId,
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
    },
    call,
  );
}
