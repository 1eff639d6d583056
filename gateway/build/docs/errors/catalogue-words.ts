import type { ErrorCode } from '../../../../subgraphs/kernel/errors/catalogue.ts';
import { type ErrorWords, LATER } from './words.ts';

const CONFIGURED =
  'Use an enabled value: `GET /partner/me` lists them. Or ask your operator to enable this one.';
const LIST_THEM =
  'Take the id from an answer or a list of this partner. Records of other partners are not found.';
const IDENTITY = 'Your call is correct. Send it again later; if the error persists, inform your operator.';

/** The errors of REST calls and of mutations. Each code of the catalogue needs an entry here to compile. */
export const CATALOGUE_WORDS: Readonly<Record<ErrorCode, ErrorWords>> = {
  UNAUTHENTICATED: {
    cause:
      'The key is missing, unknown or revoked, the two key headers differ, or a browser token or console session has ended.',
    fix: 'Send the whole key in `X-API-Key` or `api_key`. Get a new browser token from your own server; sign in to the console again.',
  },
  INSUFFICIENT_SCOPE: {
    fix: 'Ask your operator for a key with the required scope, which the description of the call names.',
  },
  FORBIDDEN: {
    cause: 'The key lacks a scope, or a browser token or a read-only console session has sent a mutation.',
    fix: 'Use a key with the missing scope. At `/graphql`, the message names it and `extensions.missingScopes` lists it. In the console, ask for a [role](console.md#roles) that has it. Let your own server make changes.',
  },
  API_FEATURE_NOT_ENABLED: { fix: CONFIGURED },
  SANDBOX_ONLY: {
    cause:
      'A simulation (`/v1/sandbox/…`, `simulate…`), `advanceSandboxClock` or `resetSandbox` was called with a live key.',
    fix: 'Use a sandbox key. Live statuses come from the platform.',
  },
  SANDBOX_RESET_RUNNING: {
    cause: '`advanceSandboxClock` was called while a reset removes the records of the sandbox.',
    fix: 'Wait until `sandbox { reset { state } }` is `DONE`.',
  },
  VALIDATION_FAILED: {
    cause: 'Fields are missing or have invalid values.',
    fix: 'Correct each `path` in `details`, and send the request again with the same `referenceId`.',
  },
  PAYLOAD_TOO_LARGE: {
    fix: 'Send a smaller body. Pictures of documents are the usual cause: make them smaller.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause:
      'The body has a `Content-Encoding`, or a `Transfer-Encoding` other than `chunked`. At `/graphql` also: the content type is not JSON, or the charset is not UTF-8.',
    fix: 'Send the JSON as it is, without these headers; to `/graphql` with `Content-Type: application/json`.',
  },
  BAD_REQUEST: {
    cause:
      'The request has no valid `Host` header. At `/graphql` also: the body is not a JSON object with `query` or `documentId`.',
    fix: 'Send exactly one `Host` header. To `/graphql` send a JSON object; the message names the mistake.',
  },
  AMBIGUOUS_ENVIRONMENT: {
    cause:
      'A call of the platform has named a partner and a record that exists in the sandbox and in the live environment.',
    fix: 'Send `"environment": "sandbox"` or `"live"` in the body.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The same `Idempotency-Key` came with another body within 48 hours.',
    fix: 'Create a new key for each new request, and store it with the request for repetitions.',
  },
  LEGACY_REFERENCE_EXISTS: {
    cause:
      'The `referenceId` was used before, and no `Idempotency-Key` identifies this call as a repetition.',
    fix: 'Look the request up: it may come from your own call, if its answer was lost. Use a new id for a new request.',
  },
  CORRIDOR_UNRESOLVABLE: {
    fix: 'Check `address.country` and `currency`. If they are right, your operator has to set your source country.',
  },
  ROUTE_NOT_AVAILABLE: {
    fix: 'Choose another country, currency or payout method, or ask your operator for a route.',
  },
  PAYOUT_METHOD_UNSUPPORTED: { fix: 'Choose another `payoutMethod`. The route does not support this one.' },
  STATE_NOT_MAPPED: {
    fix: 'Send `address.state` as its short name, such as `CDMX`, or ask your operator to map it.',
  },
  OFAC_HIT: {
    fix: 'Do not send it again. Second and middle names and the date of birth help to distinguish people of the same name.',
  },
  IDENTITY_VALIDATOR_UNAVAILABLE: { fix: IDENTITY },
  IDENTITY_VALIDATOR_TIMEOUT: { fix: IDENTITY },
  IDENTITY_VALIDATOR_BAD_RESPONSE: { fix: IDENTITY },
  IDENTITY_VALIDATOR_NOT_CONFIGURED: {
    cause:
      'The key is live, and no identity validator is set. In GraphQL the code is `PROVIDER_NOT_CONFIGURED`.',
    fix: 'Use a sandbox key, or ask your operator to set `IDENTITY_VALIDATOR_URL`.',
  },
  PROVIDER_NOT_CONFIGURED: {
    cause:
      'The key is live, and the provider that the call needs (identity checks, cards, accounts or funding) is not configured. Nothing was stored.',
    fix: 'Use a sandbox key, or ask your operator to configure the provider: `remitgraph doctor` names missing ones.',
  },
  STATEMENT_NOT_FOUND: {
    fix: 'Take the id from `GET /v1/statements` or from the webhook `statement.ready`. A statement is issued after its period has ended.',
  },
  REQUEST_MONEY_NOT_FOUND: {
    fix: 'Check the `referenceId`, including upper and lower case, and that the key belongs to the same partner.',
  },
  INVALID_TRANSITION: {
    fix: 'Read the record: its status has changed, or it has ended. Do not repeat the call.',
  },
  NO_PRICE: {
    fix: 'Your operator has to set the exchange rate (`rate set`). Then send the same call again: the status has not changed.',
  },
  FLOW_NOT_ALLOWED: { fix: CONFIGURED },
  USER_BLOCKED: {
    fix: 'If appropriate, unblock the user (`POST /partner/users/{userId}/unblock`) and send the call again.',
  },
  USER_ERASED: {
    cause:
      "The user's personal data was erased on request (`eraseUser`). An erased user can have nothing new.",
    fix: 'Create a new user with another id of your own (`userReferenceId`, `referenceId`), if the person comes back.',
  },
  USER_HAS_OPEN_PAYMENTS: {
    cause:
      'The user cannot be erased yet: an operation, a money request or a remittance has not ended, a payer may still hold a request, or a link still works.',
    fix: 'Wait until the payments have ended, or cancel them, and revoke the links. Then send the call again.',
  },
  INVALID_REQUEST: { fix: 'Correct each `path` in `details`.' },
  ERROR_TENANT_NOT_FOUND: { fix: 'Your operator has to set the country of your partner.' },
  ERROR_CIP_NOT_FOUND: { fix: 'Check the names, the date of birth and the country with the user.' },
  ERROR_CIP_NOT_COMPLETED: {
    fix: 'The identity check failed for this data. Correct the data with the user, or stop.',
  },
  ERROR_MUST_PERFORM_LEVEL_ONE_FIRST: {
    fix: 'Send the user to an identity check first (`POST /partner/cip/tickets`).',
  },
  ERROR_SUBSCRIBER_NOT_FOUND: { fix: `Register the user first. ${LIST_THEM}` },
  CARD_VERIFICATION_ERROR: { fix: 'Ask the user for another card.' },
  ERROR_CARD_VERIFICATION: {
    fix: 'Send 12 to 19 digits with a valid check digit, and `expirationDate` as MMYY, not in the past.',
  },
  ERROR_PAYMENT_METHOD_NOT_FOUND: {
    cause: 'No payout method has this id, or the body has no payout method.',
    fix: 'Send `destinationPaymentMethodId` of a method of this user, or a whole `destinationPaymentMethod`.',
  },
  ERROR_ERROR_ADD_SOURCE_UBN_ERROR: { fix: 'Ask the user for another account number.' },
  ERROR_CONTACT_NOT_FOUND: { fix: 'Create the contact first, or check the payer’s phone number.' },
  ERROR_COUNTRY_NOT_SUPPORTED: { fix: CONFIGURED },
  ERROR_INVALID_COUNTRY_CODE: { fix: 'Send two capital letters, such as `MX`.' },
  ERROR_PHONE_NUMBER_NOT_SUPPORTED: {
    fix: 'Use a number of an enabled country, or ask your operator for its dial code.',
  },
  ERROR_INVALID_OPERATION: {
    cause: 'The call is not possible now, for example because the user is blocked.',
    fix: 'Read `reason`, then the user or the operation. Do not send it again unchanged.',
  },
  PAYER_REQUEST_WITHDRAWN: {
    cause:
      'The funding provider did not answer `request-money-v2`, the call was not repeated in time, and the request was withdrawn: the payer cannot pay it.',
    fix: 'Request the money again, with a new `correlationId`.',
  },
  ERROR_OPERATION_NOT_FOUND: { fix: `Check the correlation id. ${LIST_THEM}` },
  ERROR_OPERATION_ALREADY_COMPLETED: {
    fix: 'Read the operation. Do not request the money again: the payer may have paid. If there is no operation, contact support.',
  },
  ERROR_INTERNAL_SERVER_ERROR: {
    cause:
      'An error on our side. In a failed outcome of an atomic call, `reason` gives the cause, and says whether the payer may have been asked.',
    fix: 'Send the same call again, with the same id: the payer is asked once. Use a new id only when `reason` or the timeline says that it is safe. Otherwise wait, and contact support with the time and the correlation id.',
  },
  ERROR_REQUEST_MONEY_FULL: {
    cause: 'The body lacks a field, has an unknown field, or has the phone number or email of another user.',
    fix: 'Correct the field that `reason` names.',
  },
  ERROR_INVALID_PARTNER_TOKEN: {
    fix: 'Send a key with the scopes `partner` and `partner_full` in `api_key`.',
  },
  ERROR_INVALID_AMOUNT_ERROR: {
    fix: 'Send a number above 0, below 1,000,000,000,000, with the decimals of its currency.',
  },
  ERROR_INVALID_CURRENCY_CODE: {
    fix: 'Send your default currency, in `recipientCurrency` and in the payout method.',
  },
  ERROR_CORRELATION_ID_REQUIRED: { fix: 'Send your own id of the request as `correlationId`.' },
  ERROR_CORRELATION_ID_ALREADY_USED: {
    cause:
      'A request with this id was accepted before: a different one, or this one, if the answer was lost.',
    fix: 'Read `GET /v1/user/operations/detail/{id}`, or wait for the outcome. Use a new id for a new request.',
  },
  ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED: {
    fix: 'Choose another payout method or country, or ask your operator for a route.',
  },
  INVALID_PHONE_NUMBER: { fix: 'Send a mobile number with its country code, such as `+525512345678`.' },
  INVALID_NAME: {
    fix: 'Send 1 to 100 characters, at least one of them visible, without digits, control characters or characters that override the direction of text.',
  },
  ERROR_UBN_NUMBER_REQUIRED: { fix: 'Send `number` in the payout method of type `UBN`.' },
  ERROR_INVALID_DATE_OF_BIRTH: {
    fix: 'Send an existing date as YYYY-MM-DD. The person must be 18 to 99 years old.',
  },
  USER_TENANT_MISMATCH: { fix: LIST_THEM },
  OPERATION_NOT_FOUND: { fix: LIST_THEM },
  LINK_NOT_FOUND: { fix: LIST_THEM },
  USER_NOT_FOUND: { fix: LIST_THEM },
  DATA_REQUEST_NOT_FOUND: { fix: `The id is in the webhook \`user.data_request\`. ${LIST_THEM}` },
  LINK_REVOKED: { cause: 'The link was revoked, or it has expired.', fix: 'Create a new link.' },
  LINK_ALREADY_REVOKED: { fix: 'Nothing is left to do.' },
  INSUFFICIENT_USER_DATA: {
    fix: 'Send the data that `details` names in the data request, or create a link that has it.',
  },
  REFERENCE_MISMATCH: { fix: 'Send the `referenceId` of the `user.data_request` webhook that you answer.' },
  DATA_REQUEST_ALREADY_FULFILLED: { fix: 'Nothing is left to do.' },
  RATE_LIMITED: {
    cause:
      'The key, or all keys of the partner together, made more calls in 60 seconds than the surface allows, or too many at a time.',
    fix: `${LATER} Spread calls over time, and follow events instead of polling.`,
  },
  MISSING_API_KEY: { fix: 'Send the key in `X-API-Key`.' },
  INVALID_API_KEY: { fix: 'Send the whole key. If it was revoked, ask your operator for a new one.' },
  WEBHOOK_DELIVERY_NOT_FOUND: { fix: `It may be older than 30 days. ${LIST_THEM}` },
  WEBHOOK_DELIVERY_NOT_REPLAYABLE: {
    fix: 'Wait: a pending webhook is sent anyway, at once with `sendWebhookDeliveryNow`. One that waits for a former URL goes to the current one with `toCurrentUrl`.',
  },
  WEBHOOK_DELIVERY_NOT_WAITING: {
    fix: 'The message says what the webhook does instead. Send one that was delivered or dead-lettered again with `replayWebhookDelivery`.',
  },
  WEBHOOK_ENDPOINT_HELD: {
    fix: 'Resume a paused endpoint with `resumeWebhookEndpoint`. If its breaker is open, fix the receiver: the next probe that succeeds closes it.',
  },
  APPROVAL_NOT_FOUND: { fix: '`approvals` lists the newest 100 requests.' },
  APPROVAL_NOT_PENDING: { fix: 'Ask again, if the change is still needed.' },
  APPROVAL_REFUSED: {
    fix: "Have an administrator who is another person sign in to the console and approve. The session needs a label, and must come neither from an operator's link nor from a key that the asking session made. A session of a company account cannot approve a new key.",
  },
  APPROVAL_LIMIT: { fix: 'Decide open requests on the screen Approvals.' },
  DISCREPANCY_NOT_FOUND: { fix: LIST_THEM },
  DISCREPANCY_CHANGED: { fix: 'Read the discrepancy again, and decide by its log.' },
  WEBHOOK_NOT_CONFIGURED: { fix: 'Set `webhookUrl` with `updateWebhookConfig`.' },
  WEBHOOK_REPLAY_NOT_FOUND: { fix: LIST_THEM },
  WEBHOOK_REPLAY_RUNNING: {
    fix: 'Follow the running replay with `webhookReplays`, or end it with `stopWebhookReplay`.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: { fix: '`me { webhookEndpoints { id } }` lists them.' },
  WEBHOOK_ENDPOINT_EXISTS: { fix: 'Change that endpoint, or use another URL.' },
  WEBHOOK_ENDPOINT_LIMIT: { fix: 'Delete an endpoint first.' },
  WEBHOOK_SECRETS_LIMIT: { fix: 'Wait until an overlap has ended, or rotate with `overlapHours: 0`.' },
  CONSOLE_SESSION_NOT_FOUND: {
    fix: 'If the session has ended, nothing is left to do. Otherwise take the id from `consoleSessions`.',
  },
  CONSOLE_CODE_INVALID: {
    cause:
      '`POST /console/session`: a link to the console works once, within 60 seconds, and only while its API key is valid.',
    fix: 'Create another link with `createConsoleLink` or `remitgraph admin console-link`, and open it at once.',
  },
  BROWSER_TOKEN_NOT_FOUND: { fix: 'If the token has ended, nothing is left to do: it gives no access.' },
  API_KEY_NOT_FOUND: {
    fix: '`apiKeys` lists the keys of this environment. A live key does not see sandbox keys.',
  },
  API_KEY_ENDS: { fix: 'Create another key with `createApiKey`.' },
  API_KEY_HAS_OTHER_SCOPES: {
    fix: 'Use a key that has all scopes of that key, or ask your operator.',
  },
  API_KEY_IN_USE: { fix: 'Use another key for the call, or replace this one with `rotateApiKey`.' },
  API_KEY_LIMIT: { fix: 'Revoke unused keys: `apiKeys` shows the last use of each key.' },
  INVALID_CURSOR: {
    cause:
      'The text is not a cursor of this partner’s events or of this list, or the server’s key has changed since.',
    fix: 'Read the list again, and resume after its `latestEventCursor`.',
  },
  CURSOR_EXPIRED: { fix: 'Read the list again, and subscribe after its `latestEventCursor`.' },
  NOT_FOUND: { fix: 'Check the path and the method against the API pages.' },
  BAD_USER_INPUT: {
    cause: 'A variable or an argument has a value that its type or the field does not allow.',
    fix: 'Correct the value that the message names; `extensions.path` is its path.',
  },
  RATE_STALE: {
    cause:
      'The source of exchange rates has given no new rate for too long. Documented REST calls answer `SERVICE_UNAVAILABLE` for it. Calls with a `quoteId` and sandbox calls are not affected.',
    fix: 'Your call is correct. Send it again later; if the error persists, inform your operator.',
  },
  SERVICE_UNAVAILABLE: {
    fix: `${LATER} A call that creates something may have succeeded: send it again with the same id.`,
  },
  SUBSCRIPTION_LIMIT_EXCEEDED: {
    fix: 'End unused subscriptions, or use one subscription for several records.',
  },
  SLOW_CONSUMER: { fix: 'Subscribe again after `extensions.cursor`. Read faster, or select less.' },
  INTERNAL_SERVER_ERROR: {
    cause: 'An error on our side. In document 3 the code is `INTERNAL_ERROR`.',
    fix: 'Send the `x-request-id` to your operator. You may repeat a call that has an id of yours.',
  },
};
