import { isDeepStrictEqual } from 'node:util';
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  type OperationTypeNode,
} from 'graphql';
import type { OpenApiDocument } from '../../../rest-compat/shared/openapi/document.ts';
import { rootFieldsOf } from './selection.ts';
import type { Variants } from './variant.ts';

/** Names of values that name a record, or a place among records. */
const IDENTIFYING =
  /(^id|Id|Token|[pP]hone|[pP]honeNumber|[eE]mail|^after|^before|^requestTo|[iI]dempotency-?Key)$/;
/** Of internal calls: who is spoken of. */
const NAMES_THE_CALLER = 'body.partnerId';
const MARK = '\u0001';

type JsonSchema = Readonly<Record<string, unknown>>;

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

/** Calls of a description, or arguments of them that identify something, that no variant drives. */
export function undrivenCalls(document: OpenApiDocument, variants: Variants<unknown>): string[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => [`${method.toUpperCase()} ${path}`, call] as const),
  );
  return calls.flatMap(([name, call]) =>
    undriven(name, identifiersOf(call as Described, document), variants),
  );
}

/** Root fields of a schema, or arguments of them that identify something, that no variant drives. */
export function undrivenFields(
  schema: GraphQLSchema,
  operation: OperationTypeNode,
  variants: Variants<unknown>,
): string[] {
  return Object.values(rootFieldsOf(schema, operation)).flatMap(({ name, args }) => {
    const paths = args.flatMap((argument) => inputPaths(argument.type, argument.name));
    return undriven(
      name,
      paths.map((path) => `variables.${path}`),
      variants,
    );
  });
}

function undriven(name: string, identifiers: readonly string[], variants: Variants<unknown>): string[] {
  const ways = variants[name];
  if (!ways) {
    return [name];
  }
  const marked = new Set(
    ways.flatMap((way) =>
      markedPaths(
        way.with(
          () => MARK,
          () => '',
          NOTHING_FRESH,
        ),
      ),
    ),
  );
  const isDriven = (path: string) => path === NAMES_THE_CALLER || marked.has(path);
  return identifiers.filter((path) => !isDriven(path)).map((path) => `${name}: ${path}`);
}

const NOTHING_FRESH = { word: () => '', phone: () => '', moneyRequest: () => '' };

/** Where ids of the set that is tried stand, such as `body.request.correlationId`. */
function markedPaths(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, part]) => markedPaths(part, [...path, name]));
  }
  // In a nodeId it is encoded.
  const texts = typeof value === 'string' ? [value, Buffer.from(value, 'base64url').toString()] : [];
  return texts.some((text) => text.includes(MARK)) ? [path.join('.')] : [];
}

const PLACES: Readonly<Record<string, string>> = { path: 'path', query: 'query', header: 'headers' };

function identifiersOf(call: Described, document: OpenApiDocument): string[] {
  const parameters = (call.parameters ?? []).map(({ name, in: place }) => `${PLACES[place]}.${name}`);
  const schema = call.requestBody?.content['application/json']?.schema;
  const all = [...parameters, ...(schema ? bodyPaths(schema, document, 'body') : [])];
  return [...new Set(all)].filter((path) => IDENTIFYING.test(path.slice(path.lastIndexOf('.') + 1)));
}

/** Every property of a body that is no object itself; those that are forbidden left out. */
function bodyPaths(schema: JsonSchema, document: OpenApiDocument, path: string): string[] {
  const { $ref, properties } = schema;
  if (isDeepStrictEqual(schema, { not: {} })) {
    return [];
  }
  if (typeof $ref === 'string') {
    const target = document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
    return bodyPaths(target as JsonSchema, document, path);
  }
  const branches = ['oneOf', 'anyOf', 'allOf'].flatMap((name) => (schema[name] ?? []) as JsonSchema[]);
  const named = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  const below = [
    ...branches.flatMap((branch) => bodyPaths(branch, document, path)),
    ...named.flatMap(([name, property]) => bodyPaths(property, document, `${path}.${name}`)),
  ];
  return named.length + branches.length === 0 ? [path] : below;
}

function inputPaths(type: GraphQLInputType, path: string): string[] {
  const named = getNamedType(type);
  if (isInputObjectType(named)) {
    return Object.values(named.getFields()).flatMap((field) =>
      inputPaths(field.type, `${path}.${field.name}`),
    );
  }
  const isIdentifying = named.name === 'ID' || IDENTIFYING.test(path.slice(path.lastIndexOf('.') + 1));
  return isIdentifying ? [path] : [];
}
