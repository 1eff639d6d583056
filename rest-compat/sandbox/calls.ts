import { raisedDataRequest } from '../internal/presenters.ts';
import { foundLink } from '../partner/presenters.ts';
import { foundRecord } from '../remittance/presenters.ts';
import { foundMoneyRequest } from '../request-money/presenters.ts';
import type { Call } from '../shared/call.ts';
import type { Answers } from '../shared/openapi/document.ts';
import { payloadOutcome } from '../shared/outcome.ts';
import { bodyOf, pathOf } from '../shared/request.ts';

const INVALID: Answers = { 422: ['Unprocessable', 'The issues of the body, the first 20 of them'] };
const NOT_ALLOWED = 'SANDBOX_ONLY: the key is live; or a missing scope';
const LINK_ENDED: Answers = { 409: ['Refused', 'LINK_REVOKED: revoked or expired'] };

/**
 * The simulations of the sandbox (decisions, section 8, "Simulation"): each does for the caller's own records what the internal
 * call of the same name does.
 */
export const CALLS: readonly Call[] = [
  {
    method: 'POST',
    path: '/v1/sandbox/request-money/:referenceId/status',
    operationId: 'simulateRequestMoneyStatus',
    summary: 'Moves a money request of the sandbox to a status: the payer pays, or the payment fails',
    body: 'SimulateRequestMoneyStatus',
    answers: {
      200: ['FoundAsk', 'The money request after the update'],
      403: ['Refused', `${NOT_ALLOWED} or feature`],
      404: ['NotFound', 'Unknown reference'],
      409: ['Refused', 'INVALID_TRANSITION, USER_BLOCKED, or NO_PRICE'],
      ...INVALID,
    },
    document: 'simulateRequestMoneyStatus',
    variables: bodyOf('referenceId'),
    present: ({ simulateRequestMoneyStatusFromJson: payload }) =>
      payloadOutcome(payload, payload.requestMoney, foundMoneyRequest),
  },
  {
    method: 'POST',
    path: '/v1/sandbox/operations/:operationId/status',
    operationId: 'simulateOperationStatus',
    summary: 'Moves an operation of the sandbox to a status',
    body: 'SimulateOperationStatus',
    answers: {
      200: ['OperationDetailResponse', "The operation after the update, as in document 1's detail"],
      404: ['NotFound', 'Unknown operation'],
      409: ['Refused', 'INVALID_TRANSITION, or USER_BLOCKED'],
      ...INVALID,
    },
    document: 'simulateOperationStatus',
    variables: bodyOf('operationId'),
    present: ({ simulateOperationStatusFromJson: payload }) =>
      payloadOutcome(payload, payload.operation, foundRecord),
  },
  {
    method: 'POST',
    path: '/v1/sandbox/users/:userId/cip',
    operationId: 'simulateCip',
    summary: "Sets the state of a sandbox user's identity check",
    body: 'SimulateCip',
    answers: {
      200: ['SimulatedCip', 'The state of the identity check after the update'],
      404: ['NotFound', 'Unknown user'],
      ...INVALID,
    },
    document: 'simulateCip',
    variables: bodyOf('userId'),
    present: ({ simulateCipFromJson: payload }) =>
      payloadOutcome(payload, payload.user, ({ id, cipStatus }) => ({
        userId: id,
        cipStatus: cipStatus.toLowerCase(),
      })),
  },
  {
    method: 'POST',
    path: '/v1/sandbox/links/:linkId/open',
    operationId: 'simulateLinkOpened',
    summary: 'Opens a link of the sandbox, as its user does; repeating the call has no effect',
    answers: {
      200: ['LinkAnswer', "The link, as in document 3's link details"],
      404: ['NotFound', 'Unknown link'],
      ...LINK_ENDED,
    },
    document: 'simulateLinkOpened',
    variables: pathOf('linkId'),
    present: ({ simulateLinkOpenedById: payload }) =>
      payloadOutcome(payload, payload.link, (link) => ({ success: true, data: foundLink(link) })),
  },
  {
    method: 'POST',
    path: '/v1/sandbox/data-requests',
    operationId: 'simulateDataRequest',
    summary: 'Requests more data of a sandbox user, by the webhook `user.data_request`',
    body: 'SimulateDataRequest',
    answers: {
      201: ['RaisedDataRequest', 'The data request'],
      404: ['NotFound', 'Unknown link'],
      ...LINK_ENDED,
      ...INVALID,
    },
    document: 'simulateDataRequest',
    variables: bodyOf(),
    present: ({ simulateDataRequestFromJson: payload }) =>
      payloadOutcome(payload, payload.dataRequest, raisedDataRequest),
  },
];
