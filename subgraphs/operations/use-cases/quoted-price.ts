import { Decimal } from 'decimal.js';
import type { AccountId } from '../../kernel/account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import type { QuoteDocument, Quotes } from '../store/quotes.ts';

/** A request for money that names a quote. The amount is a decimal string. */
interface QuotedRequest {
  readonly accountId: AccountId;
  readonly quoteId: string;
  readonly sourceCountry: string;
  readonly destinationCountry: string;
  readonly recipientAmount: string;
  readonly recipientCurrency: string;
  /** The account's time. */
  readonly at: Date;
}

/** The failure of a request whose quote is not usable: the validation error of its surface, and where the quote stands in it. */
export interface QuoteIssue {
  readonly code: 'VALIDATION_FAILED' | 'ERROR_REQUEST_MONEY_FULL';
  readonly path: readonly string[];
}

/** Also of a quote of another account: that it exists is not revealed. */
const UNKNOWN = 'must be a quote of this partner';

/**
 * The price that a quote has locked for a request of the same account, amount and corridor, whatever rate and fee are now. It is
 * used by `Quotes.use`, in the transaction that saves the request. A quote of another account is unknown. Failure: the given
 * issue, with the reason as its message.
 */
export async function priceByQuote(
  quotes: Pick<Quotes, 'find'>,
  request: QuotedRequest,
  issue: QuoteIssue,
): Promise<Result<Quote>> {
  const found = await quotes.find(request.accountId, request.quoteId);
  const reason = found ? reasonAgainst(found, request) : UNKNOWN;
  if (!found || reason !== undefined) {
    return quoteFailure(issue, reason);
  }
  const { recipientAmount } = request;
  const { recipientCurrency, senderAmount, senderCurrency, exchangeRate, tenantFee, amount } = found;
  return succeed({
    // The digits stay as they were given: 10.10 is not shortened.
    recipientAmount,
    recipientCurrency,
    senderAmount,
    senderCurrency,
    exchangeRate,
    tenantFee,
    amount,
  });
}

function reasonAgainst(found: QuoteDocument, request: QuotedRequest): string | undefined {
  if (
    found.sourceCountry !== request.sourceCountry ||
    found.destinationCountry !== request.destinationCountry ||
    found.recipientCurrency !== request.recipientCurrency ||
    !new Decimal(found.recipientAmount).eq(request.recipientAmount)
  ) {
    return 'must be a quote for this amount, currency and corridor';
  }
  if (found.usedAt !== undefined) {
    return 'was already used';
  }
  return found.expiresAt <= request.at ? 'has expired' : undefined;
}

/** The failure of a request whose quote was used, or has expired, while the request was checked. */
export function quoteUnusable(issue: QuoteIssue): Result<never> {
  return quoteFailure(issue, 'was already used, or has expired');
}

/** Issues of document 2 name the path beside the message, those of document 1 in it. */
function quoteFailure({ code, path }: QuoteIssue, reason = UNKNOWN): Result<never> {
  const message = code === 'VALIDATION_FAILED' ? reason : `${path.join('.')} ${reason}`;
  return fail(code, message, path);
}
