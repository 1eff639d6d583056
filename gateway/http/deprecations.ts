import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type GraphQLSchema, getNamedType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { LRUCache } from 'lru-cache';
import { callName, type Deprecation } from '../../schema/deprecations.ts';
import './graphql/checks.ts';

interface DeprecationDeps {
  readonly deprecations: readonly Deprecation[];
  /** The schema that clients see. */
  readonly schema: GraphQLSchema;
  /** Of a document that is looked through. */
  readonly maxTokens: number;
  /** The address of this service for clients, whose path a proxy takes off. Absent: the pages are where the host of the call is. */
  readonly publicUrl?: string | undefined;
}

/** Of the documents that are remembered: one alone may have a million. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * Announces that the call, or a field, argument, input or value that the GraphQL document names, is deprecated: by the headers
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` of each answer, except of a call that is rejected before it is run. Of several
 * deprecations, the earliest dates count. Values in variables do not. Add it before the routes.
 */
export function addDeprecations(
  app: FastifyInstance,
  { deprecations, schema, maxTokens, publicUrl = '' }: DeprecationDeps,
): void {
  if (deprecations.length === 0) {
    return;
  }
  const base = publicUrl.replace(/\/+$/, '');
  const byName = new Map(deprecations.map((one) => [one.name, { ...one, page: `${base}${one.page}` }]));
  const known = new LRUCache<string, readonly Deprecation[]>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_found, query) => query.length + 1,
  });
  const ofDocument = (query: string) => {
    const found =
      known.get(query) ?? [...namesIn(schema, query, maxTokens)].flatMap((name) => byName.get(name) ?? []);
    known.set(query, found);
    return found;
  };
  app.addHook('preHandler', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { graphqlRequest, method, routeOptions } = request;
    const call = byName.get(callName(method === 'HEAD' ? 'GET' : method, routeOptions.url ?? ''));
    const found = [
      ...(call ? [call] : []),
      ...(graphqlRequest ? ofDocument(graphqlRequest.parameters.query) : []),
    ];
    reply.headers(deprecationHeaders(found));
    done();
  });
}

function deprecationHeaders(found: readonly Deprecation[]): Record<string, string> {
  const [deprecatedAt] = found.map((one) => one.deprecatedAt).sort();
  const [sunsetAt] = found.map((one) => one.sunsetAt).sort();
  if (deprecatedAt === undefined || sunsetAt === undefined) {
    return {};
  }
  const pages = [...new Set(found.map(({ page }) => page))];
  return {
    deprecation: `@${Date.parse(deprecatedAt) / 1000}`,
    sunset: new Date(sunsetAt).toUTCString(),
    link: pages
      .flatMap((page) => ['deprecation', 'sunset'].map((rel) => `<${page}>; rel="${rel}"; type="text/html"`))
      .join(', '),
  };
}

/** The coordinates of everything that a document names; none for one that cannot be read, which is answered as such. */
function namesIn(schema: GraphQLSchema, query: string, maxTokens: number): ReadonlySet<string> {
  const names = new Set<string>();
  const document = parsed(query, maxTokens);
  if (!document) {
    return names;
  }
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name }) => {
        names.add(`${types.getParentType()?.name}.${name.value}`);
      },
      Argument: ({ name }) => {
        names.add(`${types.getParentType()?.name}.${types.getFieldDef()?.name}(${name.value}:)`);
      },
      ObjectField: ({ name }) => {
        names.add(`${getNamedType(types.getParentInputType())?.name}.${name.value}`);
      },
      EnumValue: ({ value }) => {
        names.add(`${getNamedType(types.getInputType())?.name}.${value}`);
      },
    }),
  );
  return names;
}

function parsed(query: string, maxTokens: number) {
  try {
    return parse(query, { noLocation: true, maxTokens });
  } catch {
    // It is no GraphQL, or nested too deeply: the engine reports it.
    return undefined;
  }
}
