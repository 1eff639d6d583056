/** The surfaces that answer errors, each in its own shape: the three documents and GraphQL. */
export type Surface = 'remittance' | 'requestMoney' | 'partner' | 'graphql';

/** One error of the product, for all its surfaces. */
export interface ErrorRow {
  /** HTTP status by surface. In GraphQL an error without a status is a `userErrors` entry in a 200. */
  readonly status: Partial<Readonly<Record<Surface, number>>>;
  /** Said when the place that refuses has nothing more exact to say. */
  readonly message: string;
}

/**
 * Every error code of the product, one row an error. Sources: document 2 "Errors", documents 1 and 3 "Errors",
 * decisions sections 0 to 5.
 */
export const CATALOGUE = {
  UNAUTHENTICATED: {
    status: { remittance: 401, requestMoney: 401, graphql: 401 },
    message: 'A valid API key is required.',
  },
  INSUFFICIENT_SCOPE: {
    status: { requestMoney: 403 },
    message: 'The API key does not have the scope that this call needs.',
  },
  FORBIDDEN: {
    status: { partner: 403, graphql: 200 },
    message: 'The API key does not have the scope that this call needs.',
  },
  API_FEATURE_NOT_ENABLED: {
    status: { requestMoney: 403 },
    message: 'The feature request-money is not enabled for this partner.',
  },
  VALIDATION_FAILED: {
    status: { requestMoney: 422 },
    message: 'The request has faults.',
  },
  PAYLOAD_TOO_LARGE: {
    status: { remittance: 413, requestMoney: 413, partner: 413, graphql: 413 },
    message: 'The body is larger than 1 MiB.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: { requestMoney: 422 },
    message: 'This Idempotency-Key was used with another body.',
  },
  LEGACY_REFERENCE_EXISTS: {
    status: { requestMoney: 409 },
    message: 'A request with this referenceId exists.',
  },
  CORRIDOR_UNRESOLVABLE: {
    status: { requestMoney: 422 },
    message: 'The source or destination corridor cannot be derived.',
  },
  ROUTE_NOT_AVAILABLE: {
    status: { requestMoney: 422, partner: 400 },
    message: 'No provider serves this route.',
  },
  PAYOUT_METHOD_UNSUPPORTED: {
    status: { requestMoney: 422 },
    message: 'This route does not pay out by this method.',
  },
  STATE_NOT_MAPPED: {
    status: { requestMoney: 422 },
    message: 'The state of the address is missing or not mapped for this route.',
  },
  OFAC_HIT: {
    status: { requestMoney: 403 },
    message: 'The requester is on a watch list.',
  },
  IDENTITY_VALIDATOR_UNAVAILABLE: {
    status: { requestMoney: 503 },
    message: 'Identity screening cannot be reached. Try again later.',
  },
  IDENTITY_VALIDATOR_TIMEOUT: {
    status: { requestMoney: 503 },
    message: 'Identity screening did not answer in time. Try again later.',
  },
  IDENTITY_VALIDATOR_BAD_RESPONSE: {
    status: { requestMoney: 503 },
    message: 'Identity screening gave no usable answer. Try again later.',
  },
  IDENTITY_VALIDATOR_NOT_CONFIGURED: {
    status: { requestMoney: 503 },
    message: 'Identity screening is not configured for live keys.',
  },
  REQUEST_MONEY_NOT_FOUND: {
    status: { requestMoney: 404 },
    message: 'There is no request with this referenceId.',
  },
  INVALID_TRANSITION: {
    status: { requestMoney: 409 },
    message: 'This status cannot follow the present one.',
  },
  FLOW_NOT_ALLOWED: {
    status: { partner: 403 },
    message: 'This flow is not enabled for this partner.',
  },
  USER_BLOCKED: {
    status: { partner: 403 },
    message: 'The user is blocked.',
  },
  INVALID_REQUEST: {
    status: { partner: 400 },
    message: 'The request has faults.',
  },
  INVALID_CURSOR: {
    status: { graphql: 200 },
    message: 'This cursor cannot be read.',
  },
  CURSOR_EXPIRED: {
    status: { graphql: 200 },
    message: 'This cursor is older than the log that is kept (30 days). Start again without it.',
  },
  NOT_FOUND: {
    status: { remittance: 404, requestMoney: 404, partner: 404, graphql: 404 },
    message: 'There is no such path or method.',
  },
  BAD_USER_INPUT: {
    status: { graphql: 200 },
    message: 'An argument has a value that it cannot take.',
  },
  INTERNAL_SERVER_ERROR: {
    status: { remittance: 500, requestMoney: 500, partner: 500, graphql: 200 },
    message: 'Something went wrong on our side.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof CATALOGUE;

/** The HTTP status of a code on a surface; 500 for a code that the surface does not document. */
export function statusOf(code: ErrorCode, surface: Surface): number {
  const row: ErrorRow = CATALOGUE[code];
  return row.status[surface] ?? 500;
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(CATALOGUE, code);
}
