import type { OpenApiWebhook } from '../shared/openapi/document.ts';
import { DELIVERY_ID, describeWebhook } from '../shared/openapi/webhooks.ts';

const EVENT = 'request_money_full_outcome';

/** How an atomic call ended (document 1, "Events"). */
export function remittanceWebhooks(): Record<string, OpenApiWebhook> {
  const outcome = describeWebhook(
    {
      operationId: 'onRequestMoneyFullOutcome',
      summary: 'An atomic call ended; sent to `operationStatusHook`',
      schema: 'RequestMoneyFullOutcome',
      example: {
        eventType: EVENT,
        status: 'Failed',
        errorCode: 'ERROR_CIP_NOT_COMPLETED',
        reason: 'The identity check is not completed.',
        phase: 'CIP',
        correlationId: 'corr-1',
        operationId: 'corr-1',
        userId: 'usr_9xYw2LmNp7RsAcEd3kTq',
        timestamp: '2026-11-21T08:00:00.000Z',
      },
    },
    [
      [
        'x-raas-signature',
        'Base64 of HMAC-SHA256 over the raw body under the shared secret; present if a secret is configured.',
        false,
      ],
      DELIVERY_ID,
    ],
  );
  return { [EVENT]: outcome };
}
