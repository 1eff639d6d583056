import type { PartnerPreQuoteMutation } from '../../schema/operations/types.ts';
import type { Quota } from '../../subgraphs/runtime/limits/partner-limiter.ts';
import { quotaHeaders } from '../../subgraphs/runtime/limits/quota-headers.ts';
import { type Outcome, payloadOutcome, withHeaders } from '../shared/outcome.ts';
import { quoteRecord } from './presenters.ts';

type Quoted = PartnerPreQuoteMutation['preQuoteLiteFromJson'];

/** The outcome of a pre-quote, which has a limit of its own: its headers name it beside those of the surface. */
export function quoteOutcome(payload: Quoted): Outcome {
  return withHeaders(
    payloadOutcome(payload, payload.quote, quoteRecord),
    quotaHeaders(payload.quotas.map(quotaOf)),
  );
}

function quotaOf({ remaining, resetSeconds, ...limit }: Quoted['quotas'][number]): Quota {
  return remaining === null || resetSeconds === null
    ? { limit }
    : { limit, left: { remaining, resetSeconds } };
}
