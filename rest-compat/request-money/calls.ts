import type { UnreadBody } from '../../subgraphs/graph/documented-mutation.ts';
import type { Call } from '../shared/call.ts';
import type { Parameter } from '../shared/openapi/document.ts';
import { foundOutcome, payloadOutcome, withHeaders } from '../shared/outcome.ts';
import { bodyOf, bodyText, pathOf, type RestRequest } from '../shared/request.ts';
import { createdMoneyRequest, foundMoneyRequest } from './presenters.ts';

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A retry of the same body with the same key gets the original result. Keys are kept for at least 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Says that a create got the answer of an earlier one, byte for byte. */
const REPLAYED = { 'idempotent-replayed': 'true' };

/** Creates a money request. */
export const CREATE: Call<'createRequestMoney'> = {
  method: 'POST',
  path: '/v1/request-money',
  operationId: 'createRequestMoney',
  summary: 'Creates a money request with a payer link',
  parameters: [IDEMPOTENCY_KEY],
  body: 'CreateRequestMoney',
  replays: true,
  answers: {
    201: ['CreatedAsk', 'The money request; `warnings` are hints, not failures'],
    403: [
      ['Refused', 'Screened'],
      'Missing scope or feature, a blocked or erased user (USER_BLOCKED, USER_ERASED), or a screening hit',
    ],
    409: ['Refused', 'LEGACY_REFERENCE_EXISTS'],
    422: ['Unprocessable', 'The issues of the body, the first 20 of them, or one semantic code'],
    503: ['Refused', 'IDENTITY_VALIDATOR_*: identity screening unavailable; or SERVICE_UNAVAILABLE'],
  },
  document: 'createRequestMoney',
  variables: (request) => ({
    body: bodyText(request),
    unread: null,
    idempotencyKey: idempotencyKeyOf(request),
  }),
  present: ({ createRequestMoneyFromJson: payload }) =>
    withHeaders(
      payloadOutcome(payload, payload.requestMoney, (created) =>
        createdMoneyRequest({ ...created, warnings: payload.warnings }),
      ),
      payload.isReplay ? REPLAYED : {},
    ),
};

/** A create whose body was not read. It fails in the graph, which sends the same events as for any failure. */
export function unreadCreate(unread: UnreadBody): Call<'createRequestMoney'> {
  return {
    ...CREATE,
    variables: (request) => ({ body: null, unread, idempotencyKey: idempotencyKeyOf(request) }),
  };
}

const LOOKUP: Call<'requestMoney'> = {
  method: 'GET',
  path: '/v1/request-money/:referenceId',
  operationId: 'getRequestMoney',
  summary: 'Reads a money request',
  answers: {
    200: ['FoundAsk', 'The public snapshot'],
    403: ['Refused', 'Missing scope or feature'],
    404: ['NotFound', 'Unknown reference'],
  },
  document: 'requestMoney',
  variables: pathOf('referenceId'),
  present: ({ requestMoney }) => foundOutcome(requestMoney, foundMoneyRequest, 'REQUEST_MONEY_NOT_FOUND'),
};

/** Cancels a money request. */
export const CANCEL: Call<'cancelRequestMoney'> = {
  method: 'POST',
  path: '/v1/request-money/:referenceId/cancel',
  operationId: 'cancelRequestMoney',
  summary: 'Cancels a pending money request; one that is already cancelled or has expired stays as it is',
  body: 'CancelRequestMoney',
  isBodyOptional: true,
  answers: {
    200: ['FoundAsk', 'The cancelled money request'],
    403: ['Refused', 'Missing scope or feature'],
    404: ['NotFound', 'Unknown reference'],
    409: ['Refused', 'INVALID_TRANSITION: the payer has begun to pay, or the money request has ended'],
    422: ['Unprocessable', 'The issues of the body'],
  },
  document: 'cancelRequestMoney',
  variables: bodyOf('referenceId'),
  present: ({ cancelRequestMoneyFromJson: payload }) =>
    payloadOutcome(payload, payload.requestMoney, foundMoneyRequest),
};

/** The calls of document 2, and the partner's cancel (decisions, section 8). */
export const CALLS: readonly Call[] = [CREATE, LOOKUP, CANCEL];

function idempotencyKeyOf({ headers }: RestRequest): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : null;
}
