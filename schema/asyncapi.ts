import { type JsonSchema, object, text } from '../subgraphs/kernel/json/json-schema.ts';
import { WEBHOOK_EVENTS } from '../subgraphs/webhook-events/catalogue.ts';
import { CONTRACTS } from '../subgraphs/webhook-events/contracts.ts';
import type { WebhookEvent } from '../subgraphs/webhook-events/declare.ts';
import { type EventVersion, eventVersions } from './event-versions.ts';

/** The parts of an AsyncAPI 3 document that the product has. Messages refer to schemas, channels to messages, operations to channels. */
interface AsyncApiDocument {
  readonly asyncapi: '3.0.0';
  readonly info: Readonly<Record<'title' | 'version' | 'description', string>> & {
    readonly 'x-event-versions': readonly EventVersion[];
  };
  readonly defaultContentType: 'application/json';
  readonly channels: Readonly<Record<string, AsyncApiChannel>>;
  readonly operations: Readonly<Record<string, object>>;
  readonly components: {
    readonly messages: Readonly<Record<string, AsyncApiMessage>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** A URL of a partner: its address is the partner's own. */
interface AsyncApiChannel {
  readonly address: null;
  readonly title: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, Reference>>;
}

interface AsyncApiMessage {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly headers: Reference;
  readonly payload: Reference;
  readonly examples: readonly { readonly name: string; readonly payload: object }[];
  readonly 'x-event-version': number;
  /** The bodies before that version, newest first, each with the version that gave it. Absent: none is still supported. */
  readonly 'x-earlier-bodies'?: readonly { readonly version: number; readonly payload: JsonSchema }[];
}

interface Reference {
  readonly $ref: string;
}

/** Channels by the receivers of their events. A test goes where events go. */
const CHANNELS = {
  endpoint: {
    title: 'Webhook endpoint',
    description: 'The URL of an endpoint of the partner: of `webhookConfig`, or of a further endpoint.',
    sends: ({ receivers }: WebhookEvent) => receivers !== 'statusHook' && receivers !== 'operational',
  },
  statusHook: {
    title: 'Status hook',
    description: "The partner's `operationStatusHook`, which the operator sets.",
    sends: ({ receivers }: WebhookEvent) => receivers === 'statusHook',
  },
  operational: {
    title: 'URL for operational events',
    description: 'The URL of `operationalEventsConfig`.',
    sends: ({ receivers }: WebhookEvent) => receivers === 'operational',
  },
} as const;

const DESCRIPTION = `Webhooks that partners receive: a POST with a JSON body, signed with the secret of the receiver.
Any 2xx status counts as received. After any other answer, also a redirect, the webhook is retried on the schedule.
A webhook may arrive twice: process each \`X-Webhook-Delivery-Id\` once. \`x-event-version\` of a message is the version of
the event catalogue that gave it this body; \`x-earlier-bodies\` are those of earlier versions that are supported. A released
version keeps the fields of all bodies, their types and their values.
An endpoint is pinned to one of \`x-event-versions\` (\`eventVersion\`). A version stays until its \`sunsetAt\`; without this
date, no end is announced.`;

/** The AsyncAPI description of all webhooks, from the catalogue. */
export function asyncApiDocument(
  versions: readonly EventVersion[] = eventVersions(),
  catalogue: readonly WebhookEvent[] = WEBHOOK_EVENTS,
): AsyncApiDocument {
  const events = catalogue.map((event) => [event.schemaName, event] as const);
  const contracts = Object.entries(CONTRACTS);
  return {
    asyncapi: '3.0.0',
    info: {
      ...{ title: 'remitgraph webhooks', version: '1.0.0', description: DESCRIPTION },
      'x-event-versions': versions,
    },
    defaultContentType: 'application/json',
    channels: mapEntries(CHANNELS, (_name, { title, description, sends }) => ({
      ...{ address: null, title, description },
      messages: Object.fromEntries(
        events.flatMap(([name, event]) => (sends(event) ? [[name, refTo('messages', name)]] : [])),
      ),
    })),
    operations: mapEntries(CHANNELS, (name, { title }) => ({
      action: 'send',
      channel: { $ref: `#/channels/${name}` },
      title: `${title}: POST`,
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
    })),
    components: {
      messages: Object.fromEntries(events.map(([name, event]) => [name, toMessage(event)])),
      schemas: {
        ...Object.fromEntries(events.map(([name, { schema }]) => [name, schema])),
        ...Object.fromEntries(
          contracts.map(([document, { headers }]) => [`HeadersOfDocument${document}`, toHeaders(headers)]),
        ),
      },
    },
  };
}

function toMessage(event: WebhookEvent): AsyncApiMessage {
  const { name, schemaName, summary, sentWhen, source, document, version, earlier, example } = event;
  return {
    name,
    title: name,
    summary,
    description: `${sentWhen} Required by ${source}.`,
    headers: refTo('schemas', `HeadersOfDocument${document}`),
    payload: refTo('schemas', schemaName),
    examples: [{ name: 'example', payload: example }],
    'x-event-version': version,
    ...(earlier && {
      'x-earlier-bodies': earlier.map((body) => ({ version: body.version, payload: body.schema })),
    }),
  };
}

type Headers = (typeof CONTRACTS)[keyof typeof CONTRACTS]['headers'];

function toHeaders(headers: Headers): object {
  const optional = headers.flatMap(([name, , isRequired]) => (isRequired ? [] : [name]));
  const properties = Object.fromEntries(
    headers.map(([name, description]) => [name, { ...text, description }]),
  );
  // A receiver also gets the headers of HTTP.
  return { ...object(properties, optional), additionalProperties: true };
}

function refTo(kind: 'messages' | 'schemas', name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

function mapEntries<Value, Made>(
  record: Readonly<Record<string, Value>>,
  make: (name: string, value: Value) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(name, value)]));
}
