import { linkJsonSchemas } from '../../subgraphs/links/index.ts';
import { OPERATION_STATUSES, operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import type { ErrorCode } from '../../subgraphs/platform/errors/catalogue.ts';
import type { JsonSchema } from '../../subgraphs/platform/json/json-schema.ts';
import {
  jsonBody,
  object,
  pathParameter,
  refTo,
  responses,
  TOO_SLOW,
  text,
  time,
} from '../openapi/document.ts';
import type { CallExamples } from '../openapi/examples.ts';
import { errorExamples, FOUND_ASK } from '../request-money/openapi-examples.ts';

type Responses = Parameters<typeof responses>[0];

/** A call of the platform's own back end: errors in document 2's shapes (decisions, section 3). */
function describe(operationId: string, summary: string, answers: Responses, more: object = {}) {
  return {
    operationId,
    summary,
    tags: ['internal'],
    security: [{ internalKey: [] }],
    ...more,
    responses: responses({
      401: ['Unauthenticated', 'Missing or invalid internal key'],
      ...TOO_SLOW,
      413: ['Refused', 'The body is larger than 1 MiB'],
      ...answers,
    }),
  };
}

const FAULTY: Responses = { 422: ['Unprocessable', 'The faults of the body, the first 20 of them'] };
const MOVED: Responses = { 409: ['Refused', 'INVALID_TRANSITION, or USER_BLOCKED'] };
const NO_LINK: Responses = { 404: ['NotFound', 'Unknown link'] };
const LINK_ENDED: Responses = { 409: ['Refused', 'LINK_REVOKED: revoked or expired'] };

/** `/v1/internal/…`, a part of document 2's description. */
export const INTERNAL_PATHS = {
  '/v1/internal/remittances/status': {
    patch: describe(
      'updateRemittanceStatus',
      "Status update by the platform's own back end",
      {
        200: ['FoundAsk', 'The ask as it stands'],
        404: ['NotFound', 'Unknown partner or reference'],
        ...MOVED,
        ...FAULTY,
      },
      { requestBody: jsonBody('UpdateStatus') },
    ),
  },
  '/v1/internal/operations/{operationId}/status': {
    patch: describe(
      'updateOperationStatus',
      "Status update of an operation by the platform's own back end",
      {
        200: ['OperationStatus', 'The status as it stands'],
        404: ['NotFound', 'Unknown partner or operation'],
        ...MOVED,
        ...FAULTY,
      },
      {
        parameters: [pathParameter('operationId', 'The correlation id.')],
        requestBody: jsonBody('UpdateOperationStatus'),
      },
    ),
  },
  '/v1/internal/links/{linkId}/open': {
    post: describe(
      'openLink',
      'The user opened a link; opened again, nothing changes',
      { 200: ['OpenedLink', 'The link'], ...NO_LINK, ...LINK_ENDED },
      { parameters: [pathParameter('linkId', 'The link.')] },
    ),
  },
  '/v1/internal/users/{userId}/cip': {
    patch: describe(
      'updateUserCip',
      'How the identity check of a user stands',
      { 200: ['UserCip', 'What is known of it now'], 404: ['NotFound', 'Unknown user'], ...FAULTY },
      { parameters: [pathParameter('userId', 'The user.')], requestBody: jsonBody('UpdateCip') },
    ),
  },
  '/v1/internal/data-requests': {
    post: describe(
      'raiseDataRequest',
      'Ask a partner for more data of a user, by the webhook `user.data_request`',
      { 201: ['RaisedDataRequest', 'Asked'], ...NO_LINK, ...LINK_ENDED, ...FAULTY },
      { requestBody: jsonBody('RaiseDataRequest') },
    ),
  },
};

export function internalSchemas(): Record<string, JsonSchema> {
  const { RaiseDataRequest, UpdateCip } = linkJsonSchemas();
  return {
    UpdateOperationStatus: operationJsonSchemas(refTo).UpdateOperationStatus,
    RaiseDataRequest,
    UpdateCip,
    OperationStatus: object({
      operationId: text,
      status: { ...text, enum: OPERATION_STATUSES },
      statusDetails: text,
      updatedAt: time,
    }),
    OpenedLink: object({ linkId: text, status: { ...text, enum: ['opened'] }, openedAt: time }),
    UserCip: object(
      {
        userId: text,
        cipStatus: { ...text, enum: ['pending', 'verified', 'failed'] },
        cipProvider: text,
        cipVerifiedAt: time,
        cipResult: { type: 'object' },
      },
      ['cipProvider', 'cipVerifiedAt', 'cipResult'],
    ),
    RaisedDataRequest: object({ dataRequestId: text }),
  };
}

const MOVES: readonly ErrorCode[] = ['INVALID_TRANSITION', 'USER_BLOCKED'];
const LINK_ID = 'lnk_7RsAcEd3kTqVb9xYw2Lm';

export const INTERNAL_EXAMPLES: Readonly<Record<string, CallExamples>> = {
  updateRemittanceStatus: {
    body: { rejected: { partnerId: 'acme', referenceId: 'AB12cd34', status: 'rejected' } },
    answers: {
      200: { rejected: { ...FOUND_ASK, status: 'rejected', statusDetails: 'PaymentFailed' } },
      404: errorExamples('REQUEST_MONEY_NOT_FOUND'),
      409: errorExamples(...MOVES),
    },
  },
  updateOperationStatus: {
    body: { failed: { partnerId: 'acme', status: 'Failed', failureReason: 'The bank sent it back.' } },
    answers: {
      200: {
        failed: {
          operationId: 'corr-1',
          status: 'Failed',
          statusDetails: 'Failed',
          updatedAt: '2026-11-21T09:30:00.000Z',
        },
      },
      404: errorExamples('OPERATION_NOT_FOUND'),
      409: errorExamples(...MOVES),
    },
  },
  openLink: {
    answers: {
      200: { opened: { linkId: LINK_ID, status: 'opened', openedAt: '2026-11-21T08:05:00.000Z' } },
      404: errorExamples('LINK_NOT_FOUND'),
      409: errorExamples('LINK_REVOKED'),
    },
  },
  updateUserCip: {
    body: { verified: { status: 'verified', provider: 'idcheck', result: { score: 98 } } },
    answers: {
      200: {
        verified: {
          userId: 'usr_9xYw2LmNp7RsAcEd3kTq',
          cipStatus: 'verified',
          cipProvider: 'idcheck',
          cipVerifiedAt: '2026-11-21T08:10:00.000Z',
          cipResult: { score: 98 },
        },
      },
      404: errorExamples('USER_NOT_FOUND'),
    },
  },
  raiseDataRequest: {
    body: { birthDate: { partnerId: 'acme', linkId: LINK_ID, fields: ['dob'] } },
    answers: {
      201: { asked: { dataRequestId: 'dr_Vb9xYw2LmNp7RsAcEd3k' } },
      404: errorExamples('LINK_NOT_FOUND'),
      409: errorExamples('LINK_REVOKED'),
    },
  },
};
