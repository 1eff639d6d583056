import { callName, type Deprecation, readDeprecations } from '../../../schema/deprecations.ts';
import type { Call } from '../call.ts';
import {
  type Answers,
  jsonBody,
  type OpenApiOperation,
  type OpenApiPaths,
  type Parameter,
  responses,
  text,
} from './document.ts';
import { headersOfAnswer } from './headers.ts';

interface SurfaceDescription {
  readonly tag: string;
  readonly security: readonly object[];
  /** The parameters of all paths: a description, and a schema unless it is any text. */
  readonly pathParameters: Readonly<Record<string, readonly [description: string, schema?: object]>>;
  /** Answers that every call may have. A call's own answers take precedence. */
  readonly answers: Answers;
  /** More answers of calls other than GET: they may have a body. */
  readonly bodyAnswers: Answers;
  /** The schemas of errors that have their code in a header, because their bodies have no place for it. */
  readonly uncoded: readonly string[];
  /** Whether the calls have no limits. */
  readonly isUnlimited?: boolean;
  /** Whether a call without parameters has no list of them, instead of an empty one. */
  readonly omitsEmptyParameters?: boolean;
}

type DescribedCall = Pick<
  Call,
  | 'method'
  | 'path'
  | 'operationId'
  | 'summary'
  | 'description'
  | 'tag'
  | 'parameters'
  | 'body'
  | 'isBodyOptional'
  | 'replays'
  | 'answers'
>;

/** The answer to a lookup whose bytes the client has. */
const UNCHANGED: Answers = { 304: [null, 'The answer still has the tag that `If-None-Match` names'] };

/** Makes the paths of a description from the same declarations as the routes. */
export function describeCalls(
  calls: readonly DescribedCall[],
  surface: SurfaceDescription,
  deprecations: readonly Deprecation[] = readDeprecations(),
): OpenApiPaths {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const call of calls) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}');
    const deprecation = deprecations.find(({ name }) => name === callName(call.method, path));
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describe(call, surface, deprecation) };
  }
  return paths;
}

/** The keys come in the order in which they are served. */
function describe(
  call: DescribedCall,
  surface: SurfaceDescription,
  deprecation: Deprecation | undefined,
): OpenApiOperation {
  const { operationId, summary, body } = call;
  const description = [call.description, deprecation && wordsOf(deprecation)].filter(Boolean).join(' ');
  const parameters = [...pathParametersOf(call, surface), ...(call.parameters ?? [])];
  return {
    operationId,
    summary,
    ...(description !== '' && { description }),
    ...(deprecation && { deprecated: true as const }),
    tags: [call.tag ?? surface.tag],
    security: surface.security,
    ...(!(surface.omitsEmptyParameters && parameters.length === 0) && { parameters }),
    ...(body !== undefined && { requestBody: jsonBody(body, call.isBodyOptional !== true) }),
    responses: responses(
      {
        ...surface.answers,
        ...(call.method === 'GET' ? UNCHANGED : surface.bodyAnswers),
        ...call.answers,
      },
      (status, schemas) =>
        headersOfAnswer({
          ...{ call, status, schemas, uncoded: surface.uncoded },
          isLimited: surface.isUnlimited !== true,
        }),
    ),
  };
}

function wordsOf({ deprecatedAt, sunsetAt, page }: Deprecation): string {
  return `Deprecated since ${deprecatedAt}, and gone from ${sunsetAt} on: see ${page}.`;
}

function pathParametersOf({ path }: DescribedCall, { pathParameters }: SurfaceDescription): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const [description, schema = text] = pathParameters[name] ?? [];
    if (description === undefined) {
      throw new TypeError(`The parameter ${name} of ${path} has no description`);
    }
    return { name, in: 'path', required: true, description, schema };
  });
}
