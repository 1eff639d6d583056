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

interface SurfaceDescription {
  readonly tag: string;
  readonly security: readonly object[];
  /** The parameters of all paths: a description, and a schema unless it is any text. */
  readonly pathParameters: Readonly<Record<string, readonly [description: string, schema?: object]>>;
  /** Answers that every call may have. A call's own answers take precedence. */
  readonly answers: Answers;
  /** More answers of calls other than GET: they may have a body. */
  readonly bodyAnswers: Answers;
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
  | 'answers'
>;

/** Makes the paths of a description from the same declarations as the routes. */
export function describeCalls(calls: readonly DescribedCall[], surface: SurfaceDescription): OpenApiPaths {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const call of calls) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describe(call, surface) };
  }
  return paths;
}

/** The keys come in the order in which they are served. */
function describe(call: DescribedCall, surface: SurfaceDescription): OpenApiOperation {
  const { operationId, summary, description, body } = call;
  const parameters = [...pathParametersOf(call, surface), ...(call.parameters ?? [])];
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [call.tag ?? surface.tag],
    security: surface.security,
    ...(!(surface.omitsEmptyParameters && parameters.length === 0) && { parameters }),
    ...(body !== undefined && { requestBody: jsonBody(body, call.isBodyOptional !== true) }),
    responses: responses({
      ...surface.answers,
      ...(call.method !== 'GET' && surface.bodyAnswers),
      ...call.answers,
    }),
  };
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
