import { type EventVersion, eventVersions, supportOf } from '../../../../schema/event-versions.ts';
import type { JsonSchema } from '../../../../subgraphs/kernel/json/json-schema.ts';
import { isRecord } from '../../../../subgraphs/kernel/objects.ts';
import { WEBHOOK_EVENTS } from '../../../../subgraphs/webhook-events/catalogue.ts';
import { CONTRACTS } from '../../../../subgraphs/webhook-events/contracts.ts';
import type { WebhookEvent } from '../../../../subgraphs/webhook-events/declare.ts';
import { slugOf } from '../markdown.ts';

/** Path of the page of all events: Markdown that `npm run schema` writes. */
export const EVENTS_PAGE = 'gateway/docs/events.md';

const INTRODUCTION = `# Event catalogue

Every event that you can receive as a webhook, with its fields and an example. [Events and webhooks](webhooks.md) explains how to receive,
verify and repeat them. For tools that generate code, [the catalogue is one AsyncAPI 3 file](../../schema/asyncapi.json); the
OpenAPI descriptions have the events of their document too.

A body has exactly the fields that its table names, and is sent as compact JSON: the examples are indented. When a user is erased, a
webhook about the user that is sent later keeps its fields, with empty texts in place of personal data.

The catalogue has versions. A released version keeps the bodies of all events: their fields, types and values. The version of an event
is that of the catalogue that gave it its newest body. An endpoint gets the bodies of the version that
[it is pinned to](webhooks.md#versions-of-events). The versions that are supported:
`;

/** Makes the page. */
export function eventsPage(
  versions: readonly EventVersion[] = eventVersions(),
  events: readonly WebhookEvent[] = WEBHOOK_EVENTS,
): string {
  const rows = events.map(
    (event) =>
      `| [\`${event.name}\`](#${slugOf(event.name)}) | ${event.summary} | ${receiversOf(event)} | ${event.version} |`,
  );
  return `<!-- Made by npm run schema from gateway/build/docs/events. -->
${INTRODUCTION}
${versions.map((one) => `- Version ${one.version} ${supportOf(one)}.`).join('\n')}

| Event | Reports | Sent to | Version |
|---|---|---|---|
${rows.join('\n')}

${events.map(entry).join('\n')}
## Headers

Every webhook has \`Content-Type: application/json\` and \`User-Agent\`. The other headers are those of its document.

${Object.entries(CONTRACTS).map(headersOf).join('\n')}`;
}

function receiversOf({ receivers, isDefault }: WebhookEvent): string {
  switch (receivers) {
    case 'statusHook':
      return 'the status hook of the partner';
    case 'operational':
      return 'the URL for operational events';
    case 'tested':
      return 'the tested endpoint';
    case 'firstAndSubscribers':
      return 'the first endpoint, and further ones that choose it';
    case 'subscribers':
      return isDefault === true
        ? 'endpoints that choose it, by default the first'
        : 'endpoints that choose it';
  }
}

function entry(event: WebhookEvent): string {
  const { name, sentWhen, source, document, schema, example } = event;
  return `## ${name}

${sentWhen} It has the [headers](#document-${document}) of document ${document}. Required by ${source}.

${tableOf(schema)}
\`\`\`json
${JSON.stringify(example, undefined, 2)}
\`\`\`
${earlierOf(event)}`;
}

/** The fields of the bodies that endpoints of earlier versions get. */
function earlierOf({ version, earlier = [] }: WebhookEvent): string {
  const tables = earlier.map(({ schema }, index) => {
    const next = earlier[index - 1]?.version ?? version;
    return `\nIn versions before ${next}, the body has these fields:\n\n${tableOf(schema)}`;
  });
  return tables.join('');
}

function tableOf(schema: JsonSchema): string {
  return `| Field | Type | Description |
|---|---|---|
${fieldsOf(schema).join('\n')}
`;
}

/** A row for each field of an object, and those of the objects in it behind it. */
function fieldsOf(schema: JsonSchema, prefix = ''): string[] {
  const { properties, required } = schema;
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, field]) => {
    if (!isRecord(field)) {
      throw new TypeError(`The field ${prefix}${name} is described by no schema`);
    }
    const type = `${typeOf(field)}${isRequired(name) ? '' : ', optional'}`;
    const row = `| \`${prefix}${name}\` | ${type} | ${[field.description, valuesOf(field)].filter(Boolean).join(' ')} |`;
    return [row, ...fieldsOf(field, `${prefix}${name}.`)];
  });
}

/** A constant is of the type of its value; an enumeration without a type is one of texts. */
function typeOf({ type, const: value, items }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(type)) {
    return type.join(' or ');
  }
  const name = typeof type === 'string' ? type : typeof (value ?? '');
  return name === 'array' && isRecord(items) ? `list of ${typeOf(items)}s` : name;
}

/** The values that a field may have; empty where any is possible. */
function valuesOf({ const: value, enum: values, items }: Readonly<Record<string, unknown>>): string {
  if (isRecord(items)) {
    return valuesOf(items);
  }
  if (Array.isArray(values)) {
    return `One of ${values.map((one) => `\`${one}\``).join(', ')}.`;
  }
  return value === undefined ? '' : `Always \`${value}\`.`;
}

function headersOf([document, { headers }]: [string, (typeof CONTRACTS)[keyof typeof CONTRACTS]]): string {
  const rows = headers.map(
    ([name, description, isRequired]) => `| \`${name}\` | ${isRequired ? 'yes' : 'no'} | ${description} |`,
  );
  return `### Document ${document}

| Header | Always | Content |
|---|---|---|
${rows.join('\n')}
`;
}
