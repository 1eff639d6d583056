import type { ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import { errorExamples, FOUND_MONEY_REQUEST } from '../request-money/openapi-examples.ts';
import type { CallExamples } from '../shared/openapi/examples.ts';

export { COMMON_EXAMPLES } from '../request-money/openapi-examples.ts';

/** The message for a change of status that is not allowed. */
const NOT_MOVED: readonly ErrorCode[] = ['INVALID_TRANSITION', 'USER_BLOCKED'];
const LINK_ID = 'lnk_7RsAcEd3kTqVb9xYw2Lm';

/** The examples of each call, by operationId. */
export const CALL_EXAMPLES: Readonly<Record<string, CallExamples>> = {
  updateRemittanceStatus: {
    body: { rejected: { partnerId: 'acme', referenceId: 'AB12cd34', status: 'rejected' } },
    answers: {
      200: { rejected: { ...FOUND_MONEY_REQUEST, status: 'rejected', statusDetails: 'PaymentFailed' } },
      404: errorExamples('REQUEST_MONEY_NOT_FOUND'),
      409: errorExamples(...NOT_MOVED, 'NO_PRICE', 'AMBIGUOUS_ENVIRONMENT'),
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
      409: errorExamples(...NOT_MOVED, 'AMBIGUOUS_ENVIRONMENT'),
    },
  },
  openLink: {
    body: { live: { environment: 'live' } },
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
      201: { raised: { dataRequestId: 'dr_Vb9xYw2LmNp7RsAcEd3k' } },
      404: errorExamples('LINK_NOT_FOUND'),
      409: errorExamples('LINK_REVOKED'),
    },
  },
};
