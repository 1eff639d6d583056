import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type OperationTypeNode,
} from 'graphql';
import type { OpenApiDocument } from '../../../rest-compat/shared/openapi/document.ts';
import type { Exchange } from '../http.ts';
import { queryGraph } from '../money-requests.ts';
import { INTERNAL_KEY } from '../seed.ts';
import type { Send } from './drive.ts';
import { documentOf, rootFieldsOf } from './selection.ts';
import type { GraphArguments, RestArguments } from './variant.ts';

const DESCRIPTIONS = ['/v1/user/openapi.json', '/v1/openapi.json', '/partner/openapi.json'];

/** The descriptions of the REST surfaces, as the server gives them to anybody. */
export async function readDescriptions(exchange: Exchange): Promise<OpenApiDocument[]> {
  const answers = await Promise.all(DESCRIPTIONS.map((path) => exchange({ method: 'GET', path })));
  return answers.map(({ text }) => JSON.parse(text) as OpenApiDocument);
}

/** The public schema, by introspection. */
export async function readSchema(exchange: Exchange, key: string): Promise<GraphQLSchema> {
  const { data } = await queryGraph<Parameters<typeof buildClientSchema>[0]>(
    exchange,
    getIntrospectionQuery(),
    {},
    key,
  );
  return buildClientSchema(data!);
}

/** Calls of REST by method and path, with a key. */
export function restSender(exchange: Exchange, key: string): Send<RestArguments> {
  return (operation, { path = {}, query = {}, headers, body }) => {
    const [method = '', template = ''] = operation.split(' ');
    const filled = template.replaceAll(/\{(\w+)\}/g, (_place, name: string) =>
      encodeURIComponent(String(path[name])),
    );
    const search = new URLSearchParams(query).toString();
    const credentials = template.startsWith('/v1/internal/')
      ? { 'X-Internal-Key': INTERNAL_KEY }
      : { 'X-API-Key': key };
    return exchange({
      method,
      path: search === '' ? filled : `${filled}?${search}`,
      headers: { ...credentials, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  };
}

/** Queries root fields of GraphQL by name, with a key or with the headers of a page that has a console session. */
export function graphSender(
  exchange: Exchange,
  schema: GraphQLSchema,
  operation: OperationTypeNode,
  caller: string | Readonly<Record<string, string>>,
): Send<GraphArguments> {
  const credentials = typeof caller === 'string' ? { 'X-API-Key': caller } : caller;
  return (name, args) => {
    const query = textOf(schema, operation, name, args);
    return exchange({
      method: 'POST',
      path: '/graphql',
      headers: { ...credentials, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: args.variables }),
    });
  };
}

/** The document that selects a root field with such arguments. @throws for a field that the schema has not */
export function textOf(
  schema: GraphQLSchema,
  operation: OperationTypeNode,
  name: string,
  args: GraphArguments,
): string {
  const field = rootFieldsOf(schema, operation)[name];
  if (!field) {
    throw new Error(`There is no ${operation} ${name}`);
  }
  return documentOf(schema, operation, field, args);
}
