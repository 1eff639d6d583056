import { type JsonSchema, object } from './json-schema.ts';

/**
 * The members of a JSON object, in the documented order: the JSON Schema of each, its value from a record, and
 * whether it can be absent. `optional`: a null is left out. `nullable`: a null is written.
 */
export type Members<Source> = Readonly<
  Record<
    string,
    | readonly [schema: object, value: (source: Source) => NonNullable<unknown> | undefined]
    | readonly [schema: object, value: (source: Source) => unknown, absence: 'optional' | 'nullable']
  >
>;

/** The same members, all of them optional. */
export function optional<Source>(
  members: Readonly<
    Record<string, readonly [schema: object, value: (source: Source) => unknown, absence?: string]>
  >,
): Members<Source> {
  return Object.fromEntries(
    Object.entries(members).map(([name, [schema, read]]) => [name, [schema, read, 'optional'] as const]),
  );
}

/** Makes the JSON object of a record, and has its JSON Schema. */
export interface Shape<Source> {
  (source: Source): Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema;
}

/** An object of an answer or of an event, declared once for its description and for the code that sends it. It has no other members. */
export function shape<Source>(members: Members<Source>): Shape<Source> {
  const entries = Object.entries(members);
  const present = (source: Source) => {
    const json: Record<string, unknown> = {};
    for (const [name, [, read, absence]] of entries) {
      const value = read(source);
      if (value !== undefined && (value !== null || absence === 'nullable')) {
        json[name] = value;
      }
    }
    return json;
  };
  const schema = object(
    Object.fromEntries(entries.map(([name, [own]]) => [name, own])),
    entries.flatMap(([name, [, , absence]]) => (absence === 'optional' ? [name] : [])),
  );
  return Object.assign(present, { schema });
}
