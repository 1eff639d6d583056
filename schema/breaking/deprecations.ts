import {
  buildSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { callName, type Deprecation, eventVersionName } from '../deprecations.ts';
import { eventVersionsIn } from './events.ts';
import { entriesOf, type JsonNode, recordOf } from './nodes.ts';

/** The files that clients see: the SDL of the graph, OpenAPI documents, and the AsyncAPI document. */
interface Surfaces {
  readonly sdl: string;
  readonly openApi: readonly JsonNode[];
  readonly events: JsonNode;
}

interface Dates {
  readonly present: readonly Deprecation[];
  /** Of the last release; none before the first one. */
  readonly released: readonly Deprecation[];
  /** The present date, such as 2026-12-01. */
  readonly today: string;
}

/**
 * Returns each rule of deprecations that is broken, as a sentence: a deprecation without dates, dates without a deprecation, and
 * something that is gone, or announced to go, earlier than the last release said.
 */
export function deprecationIssues(surfaces: Surfaces, { present, released, today }: Dates): string[] {
  const things = thingsOf(surfaces);
  const dated = new Map(present.map((one) => [one.name, one]));
  const undated = [...things].filter(([name, isDeprecated]) => isDeprecated && !dated.has(name));
  return [
    ...undated.map(([name]) => `${name} is deprecated, but has no dates`),
    ...present.flatMap(({ name }) => {
      const isDeprecated = things.get(name);
      return isDeprecated
        ? []
        : [`${name} has dates, but ${isDeprecated === undefined ? 'is gone' : 'is not deprecated'}`];
    }),
    ...released.flatMap(({ name, sunsetAt }) => {
      if (!things.has(name)) {
        return sunsetAt > today ? [`${name} is gone before its sunset on ${sunsetAt}`] : [];
      }
      const now = dated.get(name)?.sunsetAt ?? sunsetAt;
      return now < sunsetAt ? [`the sunset of ${name} was announced for ${sunsetAt}, not for ${now}`] : [];
    }),
  ];
}

/** Everything that can be deprecated, by its name, and whether it is. */
function thingsOf({ sdl, openApi, events }: Surfaces): ReadonlyMap<string, boolean> {
  const calls = openApi.flatMap(({ paths }) =>
    entriesOf(paths).flatMap(([path, methods]) =>
      entriesOf(methods).map(
        ([method, call]) =>
          [callName(method.toUpperCase(), path), recordOf(call).deprecated === true] as const,
      ),
    ),
  );
  const versions = [...eventVersionsIn(events)].map(
    ([version, hasEnd]) => [eventVersionName(version), hasEnd] as const,
  );
  return new Map([...calls, ...versions, ...coordinatesOf(buildSchema(sdl))]);
}

interface Deprecable {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

function coordinatesOf(schema: GraphQLSchema): (readonly [name: string, isDeprecated: boolean])[] {
  const entry = (name: string, { deprecationReason }: Deprecable) =>
    [name, deprecationReason != null] as const;
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isEnumType(type)) {
      return type.getValues().map((value) => entry(`${type.name}.${value.name}`, value));
    }
    if (isInputObjectType(type)) {
      return Object.values(type.getFields()).map((field) => entry(`${type.name}.${field.name}`, field));
    }
    if (!(isObjectType(type) || isInterfaceType(type))) {
      return [];
    }
    return Object.values(type.getFields()).flatMap((field) => {
      const name = `${type.name}.${field.name}`;
      return [
        entry(name, field),
        ...field.args.map((argument) => entry(`${name}(${argument.name}:)`, argument)),
      ];
    });
  });
}
