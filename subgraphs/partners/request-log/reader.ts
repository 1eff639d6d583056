import type { Connection } from '../../graph/connection.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { withoutUndefined } from '../../kernel/objects.ts';
import {
  type ApiSurface,
  REQUEST_OUTCOMES,
  type RequestDocument,
  type RequestLogModel,
  type RequestOutcome,
} from './model.ts';

/** Which requests to list; all given conditions must hold. */
export interface RequestListing {
  readonly requestId?: string | undefined;
  /** Only requests about the record with this id. */
  readonly subject?: string | undefined;
  readonly surface?: ApiSurface | undefined;
  readonly outcome?: readonly RequestOutcome[] | undefined;
  readonly code?: string | undefined;
  /** Only reveals of contact data, or only others. */
  readonly isReveal?: boolean | undefined;
  readonly createdAt?: { readonly $gt?: Date; readonly $lt?: Date } | undefined;
}

/** The log that partners see of their requests of the last 7 days. */
export interface RequestReader {
  /** Newest first. */
  list(accountId: AccountId, listing: RequestListing, page: Page): Promise<Connection<RequestDocument>>;
  /** The newest `most` requests with this id, or about this record; newest first. */
  findAbout(accountId: AccountId, keys: readonly string[], most: number): Promise<RequestDocument[]>;
}

const FAILED = REQUEST_OUTCOMES.filter((outcome) => outcome !== 'SUCCESS');

export function createRequestReader(model: RequestLogModel): RequestReader {
  return {
    list: (accountId, listing, page) =>
      paginate(model, { accountId, ...toFilter(listing) }, page, (request) => request),
    findAbout: async (accountId, keys, most) =>
      keys.length === 0
        ? []
        : model
            .find({ accountId, keys: { $in: keys } })
            .sort({ createdAt: -1, _id: -1 })
            .limit(most)
            .lean(),
  };
}

function toFilter(listing: RequestListing) {
  const { requestId, surface, code, createdAt, isReveal } = listing;
  return {
    ...toIndexed(listing),
    ...withoutUndefined({ requestId, surface, code, createdAt }),
    ...(isReveal !== undefined && { isReveal: isReveal ? true : null }),
  };
}

/** The part of a filter that an index serves: ids, or else outcomes. */
function toIndexed({ requestId, subject, outcome, code }: RequestListing) {
  // The one with the fewest requests: a client may send the same request id with many.
  const keys = subject ?? requestId;
  // Only failed ones have a code.
  const outcomes = outcome ?? (code === undefined ? REQUEST_OUTCOMES : FAILED);
  const named = { outcome: { $in: [...new Set(outcomes)] } };
  return keys === undefined ? named : { keys, ...(outcome && named) };
}
