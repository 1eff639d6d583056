import { keysOf } from '../objects.ts';
import type { Principal } from '../principal.ts';

/** The kinds of keys that a searched text may be, and their descriptions for clients. */
export const SEARCH_KEYS = {
  ID: 'Its id; of an operation, a remittance and a request by v2 that is the correlationId, too; of a money request the requestId, of a webhook the X-Webhook-Delivery-Id.',
  NODE_ID: 'Its nodeId.',
  REFERENCE_ID:
    "The partner's reference of a money request. Where no money request has it, of the failed calls that a webhook tells of.",
  CODE: 'The support code of an operation.',
  PLAT_ID: 'The platId of an operation.',
  IDEMPOTENCY_KEY: 'The Idempotency-Key by which a money request was created; known for 48 hours.',
  X_REQUEST_ID:
    'The x-request-id of a request that named, made or changed it. Only for callers that may read `requestLog`, and of the requests that are in it.',
  URL: 'The URL of a link or of a money request for its payer, or the token at the end of it.',
  USER_REFERENCE_ID: "The partner's own id of the user, or of the user that it is about.",
  PHONE_NUMBER: 'The phone number that a user is registered with, or that a contact has: the payer.',
  EMAIL: 'The email that a user is registered with.',
} as const;
export type SearchKey = keyof typeof SEARCH_KEYS;

/** A record that was found. */
export interface SearchHit {
  /** The raw id by which the type is looked up. */
  readonly id: string;
  readonly matchedBy: SearchKey;
}

/** How records of one type of the graph are found by what partners know of them. */
export interface SearchSource {
  /** GraphQL type name. */
  readonly type: string;
  /**
   * Records of the principal's tenant that have exactly this text for one of their keys. Each key has an index; where many
   * records have the same, `first` of them, newest first.
   */
  search(principal: Principal, text: string, first: number): Promise<readonly SearchHit[]>;
}

/** Runs several look-ups side by side. Returns their hits in the order of the look-ups. */
export async function hitsOf(
  lookUps: Readonly<Partial<Record<SearchKey, Promise<Iterable<string>>>>>,
): Promise<SearchHit[]> {
  const found = await Promise.all(
    keysOf(lookUps).map(async (matchedBy) =>
      [...((await lookUps[matchedBy]) ?? [])].map((id): SearchHit => ({ id, matchedBy })),
    ),
  );
  return found.flat();
}
