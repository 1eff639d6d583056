import { LINK } from '../partner/openapi-examples.ts';
import { DETAIL } from '../remittance/openapi-examples.ts';
import {
  errorExamples,
  FOUND_MONEY_REQUEST,
  COMMON_EXAMPLES as OF_DOCUMENT_2,
} from '../request-money/openapi-examples.ts';
import type { CallExamples, Named } from '../shared/openapi/examples.ts';

/** Answers that are the same for every simulation. */
export const COMMON_EXAMPLES: Readonly<Record<number, Named>> = {
  ...OF_DOCUMENT_2,
  403: errorExamples('INSUFFICIENT_SCOPE', 'SANDBOX_ONLY'),
};

const LATER = '2026-11-21T09:30:00.000Z';
const NO_LINK = { 404: errorExamples('LINK_NOT_FOUND'), 409: errorExamples('LINK_REVOKED') };

/** The examples of each call, by operationId. */
export const CALL_EXAMPLES: Readonly<Record<string, CallExamples>> = {
  simulateRequestMoneyStatus: {
    body: {
      payerPays: { status: 'completed' },
      paymentFails: { status: 'rejected' },
      expires: { status: 'cancelled', statusDetails: 'Expired' },
    },
    answers: {
      200: {
        completed: {
          ...FOUND_MONEY_REQUEST,
          status: 'completed',
          statusDetails: 'Funded',
          operationId: 'op_2LmNp7RsAcEd3kTqVb9x',
          updatedAt: LATER,
        },
      },
      403: errorExamples('INSUFFICIENT_SCOPE', 'SANDBOX_ONLY', 'API_FEATURE_NOT_ENABLED'),
      404: errorExamples('REQUEST_MONEY_NOT_FOUND'),
      409: errorExamples('INVALID_TRANSITION', 'USER_BLOCKED', 'NO_PRICE'),
    },
  },
  simulateOperationStatus: {
    body: {
      payerPays: { status: 'Accepted' },
      paymentFails: { status: 'Rejected', failureReason: 'The card was declined.' },
    },
    answers: {
      200: {
        accepted: { ...DETAIL, status: 'Accepted', statusDetails: 'Accepted', updatedAt: LATER },
      },
      404: errorExamples('OPERATION_NOT_FOUND'),
      409: errorExamples('INVALID_TRANSITION', 'USER_BLOCKED'),
    },
  },
  simulateCip: {
    body: { verified: { status: 'verified', provider: 'sandbox', result: { score: 98 } } },
    answers: {
      200: { verified: { userId: LINK.userId, cipStatus: 'verified' } },
      404: errorExamples('USER_NOT_FOUND'),
    },
  },
  simulateLinkOpened: {
    answers: {
      200: {
        opened: { success: true, data: { ...LINK, status: 'opened', openedAt: '2026-11-21T08:05:00.000Z' } },
      },
      ...NO_LINK,
    },
  },
  simulateDataRequest: {
    body: { birthDate: { linkId: LINK.linkId, fields: ['dob'] } },
    answers: { 201: { raised: { dataRequestId: 'dr_Vb9xYw2LmNp7RsAcEd3k' } }, ...NO_LINK },
  },
};
