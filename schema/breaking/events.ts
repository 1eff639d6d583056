import { isDeepStrictEqual } from 'node:util';
import { entriesOf, isNode, type JsonNode, recordOf, resolve } from './nodes.ts';

/** The description of all webhook events, AsyncAPI 3. */
export const EVENTS_FILE = 'schema/asyncapi.json';

/**
 * Finds events that have another body in a version that a release has, and versions that are gone although the release did not announce it.
 * Words and examples may change. An event that is gone is a change of the OpenAPI descriptions.
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
  const supported = eventVersionsIn(present);
  const versions = [...eventVersionsIn(former).keys()].filter((version) => supported.has(version));
  return [...eventsIn(former)].flatMap(([name, before]) => {
    const now = events.get(name);
    return versions
      .filter((version) => now && !isDeepStrictEqual(bodyIn(before, version), bodyIn(now, version)))
      .map((version) => `${name} has another body in version ${version}: change it in a new version only`);
  });
}

/** The schema of a body, without words, and the version that gave it to the event. */
interface PublishedBody {
  readonly version: number;
  readonly schema: unknown;
}

/** The body in a version; the oldest one in a version that is even older. @param bodies those of an event, newest first */
function bodyIn(bodies: readonly PublishedBody[], version: number): unknown {
  return (bodies.find((body) => body.version <= version) ?? bodies.at(-1))?.schema;
}

/** The bodies of each event, newest first, by its name. */
function eventsIn(document: JsonNode): Map<string, PublishedBody[]> {
  const messages = entriesOf(recordOf(document.components).messages);
  return new Map(
    messages.map(([id, message]) => {
      const { name, payload, 'x-event-version': version, 'x-earlier-bodies': earlier } = recordOf(message);
      const bodies = [{ version, payload }, ...(Array.isArray(earlier) ? earlier.map(recordOf) : [])];
      if (typeof name !== 'string' || typeof version !== 'number') {
        throw new TypeError(`The message ${id} has no name or no version`);
      }
      return [
        name,
        bodies.map((body) => ({
          version: Number(body.version),
          schema: bodyOf(resolve(document, body.payload)),
        })),
      ];
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
