import { isDeepStrictEqual } from 'node:util';
import { entriesOf, isNode, type JsonNode, recordOf, resolve } from './nodes.ts';

/** The description of all webhook events, AsyncAPI 3. */
export const EVENTS_FILE = 'schema/asyncapi.json';

/**
 * Finds events whose body has changed since a release under a version that the release has, or whose version has fallen, and versions
 * of the catalogue that are gone although the release did not announce it. Words and examples may change. An event that is gone is a
 * change of the OpenAPI descriptions.
 */
export function eventIssues(former: JsonNode, present: JsonNode): string[] {
  return [...versionIssues(former, present), ...bodyIssues(former, present)];
}

/** A version whose end was announced has its date in the file of deprecations, which is checked too. */
function versionIssues(former: JsonNode, present: JsonNode): string[] {
  const versions = eventVersionsIn(present);
  return [...eventVersionsIn(former)].flatMap(([version, hasEnd]) =>
    hasEnd || versions.has(version)
      ? []
      : [`version ${version} of the events is gone without an announced end`],
  );
}

/** The versions of the catalogue that a description names, and whether the end of each is announced. */
export function eventVersionsIn(document: JsonNode): ReadonlyMap<number, boolean> {
  const { 'x-event-versions': versions } = recordOf(document.info);
  return new Map(
    (Array.isArray(versions) ? versions : []).map((one) => {
      const { version, sunsetAt } = recordOf(one);
      return [Number(version), sunsetAt !== undefined];
    }),
  );
}

function bodyIssues(former: JsonNode, present: JsonNode): string[] {
  const events = eventsIn(present);
  const newestReleased = Math.max(0, ...eventVersionsIn(former).keys());
  return [...eventsIn(former)].flatMap(([name, before]) => {
    const now = events.get(name);
    if (now === undefined) {
      return [];
    }
    if (now.version > before.version) {
      return now.version > newestReleased
        ? []
        : [`${name} cannot get version ${now.version}, which is released: add a version to the catalogue`];
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
