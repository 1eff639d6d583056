import type { OpenApiWebhook } from '../shared/openapi/document.ts';
import { DELIVERY_ID, describeWebhook } from '../shared/openapi/webhooks.ts';

const EVENT = 'user.data_request';

/** The event of document 3 (decisions, section 4). */
export function partnerWebhooks(): Record<string, OpenApiWebhook> {
  const dataRequested = describeWebhook(
    {
      operationId: 'onUserDataRequest',
      summary:
        'The platform needs more data of a user: answer with `PUT /partner/data-requests/{dataRequestId}`',
      schema: 'UserDataRequestEvent',
      example: {
        event: EVENT,
        data: {
          dataRequestId: 'dr_Vb9xYw2LmNp7RsAcEd3k',
          referenceId: 'ref-1',
          linkId: 'lnk_7RsAcEd3kTqVb9xYw2Lm',
          fields: ['dob'],
        },
        timestamp: '2026-11-21T08:00:00.000Z',
      },
    },
    [
      [
        'X-RAAS-Signature',
        'HMAC-SHA256 of `<X-RAAS-Timestamp>.<raw body>` under the webhook secret, in lower-case hexadecimal digits; present if a secret is configured.',
        false,
      ],
      ['X-RAAS-Timestamp', 'Unix seconds of the attempt.', true],
      ['X-RAAS-Event', 'Copy of `event`.', true],
      DELIVERY_ID,
    ],
  );
  return { [EVENT]: dataRequested };
}
