import { keysOf } from '../kernel/objects.ts';
import type { Principal } from '../kernel/principal.ts';

/** The kinds of keys that a searched text may be, and their descriptions for clients. */
export const SEARCH_KEYS = {
  ID: 'Its id. For an operation, a remittance and a request by v2, also the correlationId; for a money request, the requestId; for a webhook, the X-Webhook-Delivery-Id.',
  NODE_ID: 'Its nodeId.',
  REFERENCE_ID:
    "The partner's reference of a money request. If no money request has it, the reference of failed calls, which finds the webhooks about them.",
  CODE: 'The support code of an operation.',
  PLAT_ID: 'The platId of an operation.',
  IDEMPOTENCY_KEY: 'The Idempotency-Key with which a money request was created, for 48 hours.',
  X_REQUEST_ID:
    'The x-request-id of a request in `requestLog` that named, created or changed it. Only for callers that may read `requestLog`.',
  URL: "The URL of a link, or a payer's URL of a money request, or the token at its end.",
  USER_REFERENCE_ID: 'The id that the partner gave the user, or the user of the record.',
  PHONE_NUMBER: 'The phone number of a registered user or of a contact (a payer).',
  EMAIL: 'The email of a registered user.',
  NAME: 'The names of a user, whole words in any order, in upper or lower case, with or without accents. Users must have all words of the text.',
  PAYER_PHONE_NUMBER:
    'The phone number of the payer of an operation, or of a remittance or request by v2 that has no operation.',
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
