import { isDeepStrictEqual } from 'node:util';
import { entriesOf, isNode, type JsonNode, recordOf, resolve } from './nodes.ts';

/** The description of all webhook events, AsyncAPI 3. */
export const EVENTS_FILE = 'schema/asyncapi.json';

/**
 * Finds events whose body has changed since a release under the version that the release gave it, or whose version has fallen. Words and
 * examples may change. An event that is gone is a change of the OpenAPI descriptions.
 */
export function eventIssues(former: JsonNode, present: JsonNode): string[] {
  const events = eventsIn(present);
  return [...eventsIn(former)].flatMap(([name, before]) => {
    const now = events.get(name);
    if (now === undefined || now.version > before.version) {
      return [];
    }
    if (now.version < before.version) {
      return [`the version of ${name} has fallen from ${before.version} to ${now.version}`];
    }
    return isDeepStrictEqual(before.body, now.body)
      ? []
      : [`${name} has another body, but still version ${now.version}: raise its version in the catalogue`];
  });
}

interface PublishedEvent {
  readonly version: number;
  /** The schema of its body, without words. */
  readonly body: unknown;
}

function eventsIn(document: JsonNode): Map<string, PublishedEvent> {
  const messages = entriesOf(recordOf(document.components).messages);
  return new Map(
    messages.map(([id, message]) => {
      const { name, payload, 'x-event-version': version } = recordOf(message);
      if (typeof name !== 'string' || typeof version !== 'number') {
        throw new TypeError(`The message ${id} has no name or no version`);
      }
      return [name, { version, body: bodyOf(resolve(document, payload)) }];
    }),
  );
}

/** The schema of a body without `event`: it has the event's name, and in a test that of any event. */
function bodyOf(schema: JsonNode): unknown {
  const { event: _event, ...properties } = recordOf(schema.properties);
  return withoutWords({ ...schema, properties });
}

const WORDS: ReadonlySet<string> = new Set(['title', 'description', 'examples']);

/** A schema without keywords that only explain it. */
function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(withoutWords);
  }
  if (!isNode(schema)) {
    return schema;
  }
  return Object.fromEntries(
    entriesOf(schema)
      .filter(([keyword]) => !WORDS.has(keyword))
      .map(([keyword, value]) => [keyword, keyword === 'properties' ? eachOf(value) : withoutWords(value)]),
  );
}

/** The schemas of fields: a field may be called `description`. */
function eachOf(properties: unknown): object {
  return Object.fromEntries(entriesOf(properties).map(([name, schema]) => [name, withoutWords(schema)]));
}
