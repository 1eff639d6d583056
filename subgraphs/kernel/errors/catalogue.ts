/** The surfaces that answer errors, each in its own shape: the three documents and GraphQL. */
export type Surface = 'remittance' | 'requestMoney' | 'partner' | 'graphql';

/** One error of the product, for all its surfaces. */
export interface ErrorRow {
  /** HTTP status by surface. In GraphQL an error without a status is a `userErrors` entry in a 200. */
  readonly status: Partial<Readonly<Record<Surface, number>>>;
  /** The message of a failure that has no more exact one. */
  readonly message: string;
}

/**
 * Every error code of the product, one row an error. Sources: "Errors" of the three documents,
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
  SANDBOX_ONLY: {
    status: { requestMoney: 403 },
    message: 'This works only with a sandbox key.',
  },
  SANDBOX_RESET_RUNNING: {
    status: { graphql: 200 },
    message: 'The sandbox is being reset. Try again when the reset is done.',
  },
  VALIDATION_FAILED: {
    status: { requestMoney: 422 },
    message: 'The request is invalid.',
  },
  PAYLOAD_TOO_LARGE: {
    status: { remittance: 413, requestMoney: 413, partner: 413, graphql: 413 },
    message: 'The body is larger than 1 MiB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: { remittance: 415, requestMoney: 415, partner: 415, graphql: 415 },
    message: 'The request body must not be encoded, such as with gzip: send it as it is.',
  },
  BAD_REQUEST: {
    status: { requestMoney: 400, graphql: 400 },
    message: 'The request must have one valid Host header.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: { requestMoney: 422 },
    message: 'This Idempotency-Key was already used with another body.',
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
    status: { requestMoney: 503, graphql: 200 },
    message: 'Identity screening cannot be reached. Try again later.',
  },
  IDENTITY_VALIDATOR_TIMEOUT: {
    status: { requestMoney: 503, graphql: 200 },
    message: 'Identity screening did not answer in time. Try again later.',
  },
  IDENTITY_VALIDATOR_BAD_RESPONSE: {
    status: { requestMoney: 503, graphql: 200 },
    message: 'Identity screening gave no usable answer. Try again later.',
  },
  IDENTITY_VALIDATOR_NOT_CONFIGURED: {
    status: { requestMoney: 503 },
    message: 'Identity screening is not configured for live keys.',
  },
  PROVIDER_NOT_CONFIGURED: {
    status: { remittance: 503 },
    message: 'A provider that this call needs is not configured for live keys.',
  },
  AMBIGUOUS_ENVIRONMENT: {
    status: { requestMoney: 409 },
    message: 'Both environments of the partner have this record. Name the environment.',
  },
  REQUEST_MONEY_NOT_FOUND: {
    status: { requestMoney: 404 },
    message: 'There is no request with this referenceId.',
  },
  STATEMENT_NOT_FOUND: {
    status: { requestMoney: 404 },
    message: 'There is no statement with this id.',
  },
  INVALID_TRANSITION: {
    status: { requestMoney: 409 },
    message: 'This status cannot follow the current one.',
  },
  NO_PRICE: {
    status: { requestMoney: 409 },
    message: 'The money request has no price for the payer at the current exchange rates.',
  },
  RATE_STALE: {
    // The documents have no code for it: their calls answer as while a part of the service is away.
    status: { remittance: 503, requestMoney: 503, partner: 503, graphql: 200 },
    message: 'The exchange rate is too old for live calls. Try again in a few seconds.',
  },
  FLOW_NOT_ALLOWED: {
    status: { partner: 403 },
    message: 'This flow is not enabled for this partner.',
  },
  USER_BLOCKED: {
    status: { requestMoney: 403, partner: 403 },
    message: 'The user is blocked.',
  },
  USER_ERASED: {
    status: { remittance: 400, requestMoney: 403, partner: 403 },
    message: 'The user is erased.',
  },
  USER_HAS_OPEN_PAYMENTS: {
    status: {},
    message: 'The user has a payment that has not ended, or a link that still works.',
  },
  INVALID_REQUEST: {
    status: { partner: 400 },
    message: 'The request is invalid.',
  },
  ERROR_TENANT_NOT_FOUND: {
    status: { remittance: 400 },
    message: 'The partner has no country configured.',
  },
  ERROR_CIP_NOT_FOUND: {
    status: { remittance: 400 },
    message: 'The identity provider has no record of this person.',
  },
  ERROR_CIP_NOT_COMPLETED: {
    status: { remittance: 400 },
    message: 'The identity check was not passed.',
  },
  ERROR_MUST_PERFORM_LEVEL_ONE_FIRST: {
    status: { remittance: 400 },
    message: 'The user must pass the identity check of level one first.',
  },
  ERROR_SUBSCRIBER_NOT_FOUND: {
    status: { remittance: 404 },
    message: 'There is no such user.',
  },
  CARD_VERIFICATION_ERROR: {
    status: { remittance: 400 },
    message: 'The card provider rejected the card.',
  },
  ERROR_CARD_VERIFICATION: {
    status: { remittance: 400 },
    message: 'The card number or its expiration date is not valid.',
  },
  ERROR_PAYMENT_METHOD_NOT_FOUND: {
    status: { remittance: 400 },
    message: 'There is no such payment method.',
  },
  ERROR_ERROR_ADD_SOURCE_UBN_ERROR: {
    status: { remittance: 400 },
    message: 'The account provider rejected the account.',
  },
  ERROR_CONTACT_NOT_FOUND: {
    status: { remittance: 400 },
    message: 'There is no such contact.',
  },
  ERROR_COUNTRY_NOT_SUPPORTED: {
    status: { remittance: 400 },
    message: 'The country is not enabled for this partner.',
  },
  ERROR_INVALID_COUNTRY_CODE: {
    status: { remittance: 400 },
    message: 'The country code is not an ISO 3166-1 alpha-2 code.',
  },
  ERROR_PHONE_NUMBER_NOT_SUPPORTED: {
    status: { remittance: 400 },
    message: 'The dial code of the phone number is not enabled for this partner.',
  },
  ERROR_INVALID_OPERATION: {
    status: { remittance: 400 },
    message: 'The operation is not allowed.',
  },
  PAYER_REQUEST_WITHDRAWN: {
    status: { remittance: 400 },
    message: 'The request was withdrawn from the payer. Request the money again with a new correlationId.',
  },
  ERROR_OPERATION_NOT_FOUND: {
    status: { remittance: 404 },
    message: 'There is no such operation.',
  },
  ERROR_OPERATION_ALREADY_COMPLETED: {
    status: { remittance: 400 },
    message: 'The operation is already completed.',
  },
  ERROR_INTERNAL_SERVER_ERROR: {
    status: { remittance: 500, graphql: 200 },
    message: 'The request failed because of an internal error.',
  },
  ERROR_REQUEST_MONEY_FULL: {
    status: { remittance: 400 },
    message: 'The request is invalid.',
  },
  ERROR_INVALID_PARTNER_TOKEN: {
    status: { remittance: 401 },
    message: 'A valid API key with the scopes of this call is required.',
  },
  ERROR_INVALID_AMOUNT_ERROR: {
    status: { remittance: 400 },
    message: 'The amount is not a number, is too small or too large, or has more decimals than the currency.',
  },
  ERROR_INVALID_CURRENCY_CODE: {
    status: { remittance: 400 },
    message:
      'The currency must be an ISO 4217 code, and the currency of the partner and of the payment method.',
  },
  ERROR_CORRELATION_ID_REQUIRED: {
    status: { remittance: 400 },
    message: 'correlationId is required.',
  },
  ERROR_CORRELATION_ID_ALREADY_USED: {
    status: { remittance: 400 },
    message: 'This correlationId was already used.',
  },
  ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED: {
    status: { remittance: 400 },
    message: 'There is no route for this corridor and payment method.',
  },
  INVALID_PHONE_NUMBER: {
    status: { remittance: 400 },
    message: 'The phone number is not valid.',
  },
  INVALID_NAME: {
    status: { remittance: 400 },
    message:
      'A name must have 1 to 100 characters, one of them visible, and no digits or control characters.',
  },
  ERROR_UBN_NUMBER_REQUIRED: {
    status: { remittance: 400 },
    message: 'The account number is required.',
  },
  ERROR_INVALID_DATE_OF_BIRTH: {
    status: { remittance: 400 },
    message: 'The date of birth must be a valid date of a person aged 18 to 99.',
  },
  USER_TENANT_MISMATCH: {
    status: { remittance: 403 },
    message: 'User tenant does not match request tenant',
  },
  OPERATION_NOT_FOUND: {
    status: { requestMoney: 404, partner: 404 },
    message: 'There is no operation with this id.',
  },
  LINK_NOT_FOUND: {
    status: { requestMoney: 404, partner: 404 },
    message: 'There is no link with this id.',
  },
  USER_NOT_FOUND: {
    status: { requestMoney: 404, partner: 404 },
    message: 'There is no user with this id.',
  },
  DATA_REQUEST_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no data request with this id.',
  },
  LINK_REVOKED: {
    status: { requestMoney: 409, partner: 409 },
    message: 'The link is revoked.',
  },
  LINK_ALREADY_REVOKED: {
    status: { partner: 409 },
    message: 'The link is already revoked.',
  },
  INSUFFICIENT_USER_DATA: {
    status: { partner: 400 },
    message: 'The link has too little user data for an identity check.',
  },
  REFERENCE_MISMATCH: {
    status: { partner: 400 },
    message: 'referenceId does not match the data request.',
  },
  DATA_REQUEST_ALREADY_FULFILLED: {
    status: { partner: 409 },
    message: 'The data request is already fulfilled.',
  },
  RATE_LIMITED: {
    status: { remittance: 429, requestMoney: 429, partner: 429, graphql: 429 },
    message: 'Too many requests. Try again later.',
  },
  MISSING_API_KEY: {
    status: { partner: 401 },
    message: 'The header X-API-Key is required.',
  },
  INVALID_API_KEY: {
    status: { partner: 401 },
    message: 'The API key is not valid or was revoked.',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no webhook delivery with this id.',
  },
  WEBHOOK_DELIVERY_NOT_REPLAYABLE: {
    status: { partner: 409 },
    message:
      'Only a webhook that was delivered or dead-lettered can be sent again, or one that waits for a former URL of its endpoint.',
  },
  WEBHOOK_DELIVERY_NOT_WAITING: {
    status: { partner: 409 },
    message: 'Only a webhook that waits for its next attempt can be sent now.',
  },
  WEBHOOK_ENDPOINT_HELD: {
    status: { partner: 409 },
    message: 'Nothing is sent to the endpoint now: it is paused, or its breaker is open.',
  },
  WEBHOOK_NOT_CONFIGURED: {
    status: { partner: 409 },
    message: 'The partner has no webhook URL.',
  },
  WEBHOOK_REPLAY_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no replay with this id.',
  },
  WEBHOOK_REPLAY_RUNNING: {
    status: { partner: 409 },
    message: 'A replay of this partner is already running. Wait until it ends, or stop it.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no webhook endpoint with this id.',
  },
  WEBHOOK_ENDPOINT_EXISTS: {
    status: { partner: 409 },
    message: 'Another webhook endpoint has this URL.',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    status: { partner: 409 },
    message: 'A partner can have 10 webhook endpoints in addition to the first.',
  },
  WEBHOOK_SECRETS_LIMIT: {
    status: { partner: 409 },
    message:
      'At most 4 former secrets can sign webhooks in addition to the new one. Wait until one expires, or rotate without an overlap.',
  },
  API_KEY_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no API key with this id in the environment of the calling key.',
  },
  API_KEY_ENDS: {
    status: { partner: 409 },
    message:
      'The key, or the key that the call depends on, has ended, was already replaced or does not exist. Create a key with another key.',
  },
  API_KEY_HAS_OTHER_SCOPES: {
    status: { partner: 403 },
    message: 'This key has a scope that the calling key does not have.',
  },
  API_KEY_IN_USE: {
    status: { partner: 409 },
    message: 'A key cannot revoke itself, and a console session cannot replace its own key. Use another key.',
  },
  API_KEY_LIMIT: {
    status: { partner: 409 },
    message:
      'A partner can have 100 API keys in each environment, and 100 replaced keys that still work. Revoke a key first.',
  },
  APPROVAL_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no request for approval with this id in the environment of the calling session.',
  },
  APPROVAL_NOT_PENDING: {
    status: { partner: 409 },
    message: 'This request was already approved or rejected, or has expired. Nothing changes.',
  },
  APPROVAL_REFUSED: {
    status: { partner: 403 },
    message:
      "This needs a console session with a label that no operator's link opened; for an approval, one of another person than the one who asked.",
  },
  APPROVAL_LIMIT: {
    status: { partner: 409 },
    message: 'At most 20 requests for approval can be open. Approve or reject one first.',
  },
  DISCREPANCY_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no discrepancy with this id in the environment of the API key.',
  },
  DISCREPANCY_CHANGED: {
    status: { partner: 409 },
    message: 'The discrepancy has another version: somebody has changed it meanwhile. Nothing changes.',
  },
  BROWSER_TOKEN_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no browser token with this id.',
  },
  CONSOLE_SESSION_NOT_FOUND: {
    status: { partner: 404 },
    message: 'There is no console session with this id in the environment of the calling key.',
  },
  CONSOLE_CODE_INVALID: {
    status: { graphql: 401 },
    message: 'This link is invalid, was already used or has expired. Request a new one.',
  },
  INVALID_CURSOR: {
    status: { graphql: 200 },
    message: 'This cursor is not valid.',
  },
  CURSOR_EXPIRED: {
    status: { graphql: 200 },
    message: 'This cursor is older than the oldest event that is kept. Subscribe again without it.',
  },
  NOT_FOUND: {
    status: { remittance: 404, requestMoney: 404, partner: 404, graphql: 404 },
    message: 'There is no such path or method.',
  },
  BAD_USER_INPUT: {
    status: { remittance: 400, graphql: 200 },
    message: 'An argument has an invalid value.',
  },
  SERVICE_UNAVAILABLE: {
    status: { remittance: 503, requestMoney: 503, partner: 503, graphql: 200 },
    message: 'A part of the service is not available at the moment. Try again in a few seconds.',
  },
  SUBSCRIPTION_LIMIT_EXCEEDED: {
    status: { graphql: 200 },
    message: 'Too many subscriptions are open. End another one first.',
  },
  SLOW_CONSUMER: {
    status: { graphql: 200 },
    message:
      'The client read events too slowly. Subscribe again after the cursor of this error; no events are lost.',
  },
  INTERNAL_SERVER_ERROR: {
    status: { remittance: 500, requestMoney: 500, partner: 500, graphql: 200 },
    message: 'The service failed because of an internal error.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof CATALOGUE;

/** The codes that a surface documents: those with a status for it. */
export type CodeOf<Of extends Surface> = {
  [Code in ErrorCode]: Of extends keyof (typeof CATALOGUE)[Code]['status'] ? Code : never;
}[ErrorCode];

/** The HTTP status of a code on a surface; a pair that is not documented does not compile. */
export function statusOf<Of extends Surface>(code: CodeOf<Of>, surface: Of): number {
  return statusOrInternalError(code, surface);
}

/**
 * The HTTP status of a code that is only known at run time. A code that the surface does not document is an internal error,
 * 500.
 */
export function statusOrInternalError(code: ErrorCode, surface: Surface): number {
  const row: ErrorRow = CATALOGUE[code];
  return row.status[surface] ?? 500;
}

/** Whether a REST surface answers the code with a 5xx: a fault of ours or of a provider. */
export function hasServerFault(code: ErrorCode): boolean {
  const { status }: ErrorRow = CATALOGUE[code];
  return [status.remittance, status.requestMoney, status.partner].some((one = 0) => one >= 500);
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(CATALOGUE, code);
}
