import { foundMoneyRequest } from '../request-money/presenters.ts';
import type { Call } from '../shared/call.ts';
import type { Answers } from '../shared/openapi/document.ts';
import { payloadOutcome } from '../shared/outcome.ts';
import { bodyOf } from '../shared/request.ts';
import { openedLink, operationStatus, raisedDataRequest, userCip } from './presenters.ts';

const INVALID: Answers = { 422: ['Unprocessable', 'The issues of the body, the first 20 of them'] };
const NOT_MOVED: Answers = { 409: ['Refused', 'INVALID_TRANSITION, USER_BLOCKED, or AMBIGUOUS_ENVIRONMENT'] };
const NOT_MOVED_OR_PRICED: Answers = {
  409: ['Refused', 'INVALID_TRANSITION, USER_BLOCKED, NO_PRICE, or AMBIGUOUS_ENVIRONMENT'],
};
const NO_LINK: Answers = { 404: ['NotFound', 'Unknown link'] };
const LINK_ENDED: Answers = { 409: ['Refused', 'LINK_REVOKED: revoked or expired'] };

/** The calls of the platform's own back end (decisions, sections 3 and 4, "Internal"). */
export const CALLS: readonly Call[] = [
  {
    method: 'PATCH',
    path: '/v1/internal/remittances/status',
    operationId: 'updateRemittanceStatus',
    summary: "Updates the status of a money request, from the platform's own back end",
    body: 'UpdateStatus',
    answers: {
      200: ['FoundAsk', 'The money request after the update'],
      404: ['NotFound', 'Unknown partner or reference'],
      ...NOT_MOVED_OR_PRICED,
      ...INVALID,
    },
    document: 'updateRequestMoneyStatus',
    variables: bodyOf(),
    present: ({ updateRequestMoneyStatusFromJson: payload }) =>
      payloadOutcome(payload, payload.requestMoney, foundMoneyRequest),
  },
  {
    method: 'PATCH',
    path: '/v1/internal/operations/:operationId/status',
    operationId: 'updateOperationStatus',
    summary: "Updates the status of an operation, from the platform's own back end",
    body: 'UpdateOperationStatus',
    answers: {
      200: ['OperationStatus', 'The status after the update'],
      404: ['NotFound', 'Unknown partner or operation'],
      ...NOT_MOVED,
      ...INVALID,
    },
    document: 'updateOperationStatus',
    variables: bodyOf('operationId'),
    present: ({ updateOperationStatusFromJson: payload }) =>
      payloadOutcome(payload, payload.operation, operationStatus),
  },
  {
    method: 'POST',
    path: '/v1/internal/links/:linkId/open',
    operationId: 'openLink',
    summary: 'Records that the user opened a link; repeating the call has no effect',
    body: 'OpenLink',
    isBodyOptional: true,
    answers: { 200: ['OpenedLink', 'The link'], ...NO_LINK, ...LINK_ENDED, ...INVALID },
    document: 'openLink',
    variables: bodyOf('linkId'),
    present: ({ openLink: payload }) => payloadOutcome(payload, payload.link, openedLink),
  },
  {
    method: 'PATCH',
    path: '/v1/internal/users/:userId/cip',
    operationId: 'updateUserCip',
    summary: 'Updates the identity check of a user',
    body: 'UpdateCip',
    answers: {
      200: ['UserCip', 'The identity check after the update'],
      404: ['NotFound', 'Unknown user'],
      ...INVALID,
    },
    document: 'updateUserCip',
    variables: bodyOf('userId'),
    present: ({ updateCipFromJson: payload }) => payloadOutcome(payload, payload.identity, userCip),
  },
  {
    method: 'POST',
    path: '/v1/internal/data-requests',
    operationId: 'raiseDataRequest',
    summary: 'Requests more data of a user from the partner, by the webhook `user.data_request`',
    body: 'RaiseDataRequest',
    answers: { 201: ['RaisedDataRequest', 'The data request'], ...NO_LINK, ...LINK_ENDED, ...INVALID },
    document: 'raiseDataRequest',
    variables: bodyOf(),
    present: ({ raiseDataRequestFromJson: payload }) =>
      payloadOutcome(payload, payload.dataRequest, raisedDataRequest),
  },
];
