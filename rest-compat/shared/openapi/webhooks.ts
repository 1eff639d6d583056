import type { JsonSchema } from '../../../subgraphs/kernel/json/json-schema.ts';
import { WEBHOOK_EVENTS } from '../../../subgraphs/webhook-events/catalogue.ts';
import { CONTRACTS, type ContractDocument } from '../../../subgraphs/webhook-events/contracts.ts';
import type { WebhookEvent } from '../../../subgraphs/webhook-events/declare.ts';
import { type OpenApiWebhook, refTo } from './document.ts';

/** The events of a document. A test of an endpoint is of none, although it has document 2's envelope. */
function eventsOf(document: ContractDocument): readonly WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => event.document === document && event.receivers !== 'tested');
}

/** The events of a document by name, from the catalogue. */
export function describeWebhooks(document: ContractDocument): Record<string, OpenApiWebhook> {
  return Object.fromEntries(eventsOf(document).map((event) => [event.name, describeWebhook(event)]));
}

/** The named schemas of a document's events. */
export function webhookSchemas(document: ContractDocument): Record<string, JsonSchema> {
  return Object.fromEntries(eventsOf(document).map(({ schemaName, schema }) => [schemaName, schema]));
}

/** Describes an event. The partner answers with any 2xx; after anything else it is sent again. */
function describeWebhook(event: WebhookEvent): OpenApiWebhook {
  const { document, schemaName, summary, sentWhen, version, example } = event;
  const post = {
    operationId: `on${schemaName}`,
    summary,
    description: `${sentWhen} The body is that of version ${version} of the event catalogue: see /docs/webhooks#versions-of-events.`,
    tags: ['webhooks'],
    security: [],
    parameters: CONTRACTS[document].headers.map(([name, description, required]) => ({
      name,
      in: 'header',
      required,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: refTo(schemaName), examples: { event: { value: example } } },
      },
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
