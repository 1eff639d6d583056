import type { OpenApiWebhook } from './document.ts';
import { refTo } from './document.ts';

/** One event as a partner's receiver gets it. */
interface WebhookDescription {
  readonly operationId: string;
  readonly summary: string;
  /** Of the whole body. */
  readonly schema: string;
  readonly example: unknown;
}

/** A header of every delivery: its name and purpose. */
export type WebhookHeader = readonly [name: string, description: string, required: boolean];

/** Describes an event. The partner answers with any 2xx; after anything else it is sent again. */
export function describeWebhook(
  { operationId, summary, schema, example }: WebhookDescription,
  headers: readonly WebhookHeader[],
): OpenApiWebhook {
  const post = {
    operationId,
    summary,
    tags: ['webhooks'],
    security: [],
    parameters: headers.map(([name, description, required]) => ({
      name,
      in: 'header',
      required,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refTo(schema), examples: { event: { value: example } } } },
    },
    responses: {
      '2XX': {
        description:
          'Received. After any other answer, also a redirect, the webhook is retried on the schedule.',
      },
    },
  };
  return { post };
}

/** The header that names a delivery. */
export const DELIVERY_ID: WebhookHeader = [
  'X-Webhook-Delivery-Id',
  'The same for every attempt: process each id once.',
  true,
];
