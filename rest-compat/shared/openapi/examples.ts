import type { OpenApiOperation, OpenApiPaths } from './document.ts';

/** Values by a name. */
export type Named = Readonly<Record<string, unknown>>;

/** The examples of one call. */
export interface CallExamples {
  readonly body?: Named;
  /** By status. For other statuses, those of the surface are shown. */
  readonly answers: Readonly<Record<number, Named>>;
}

/**
 * Adds examples to the bodies and the answers of all calls.
 * @param calls by operationId
 * @param common by status: the answers that all calls of the surface share
 * @throws TypeError for a call without examples, and for examples without a call
 */
export function withExamples(
  paths: OpenApiPaths,
  calls: Readonly<Record<string, CallExamples>>,
  common: Readonly<Record<number, Named>>,
): OpenApiPaths {
  const left = new Set(Object.keys(calls));
  const shown = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => {
      const examples = calls[operation.operationId];
      if (!(examples && left.delete(operation.operationId))) {
        throw new TypeError(`${operation.operationId} has no examples`);
      }
      return [method, show(operation, examples, common)];
    });
    return [path, Object.fromEntries(operations)];
  });
  if (left.size > 0) {
    throw new TypeError(`No call is named ${[...left].join(', ')}`);
  }
  return Object.fromEntries(shown);
}

function show(
  operation: OpenApiOperation,
  { body, answers }: CallExamples,
  common: Readonly<Record<number, Named>>,
): OpenApiOperation {
  const answered = Object.entries(operation.responses).map(([status, response]) => {
    const named = answers[Number(status)] ?? common[Number(status)];
    return [status, addTo(response, named)];
  });
  return {
    ...operation,
    ...(operation.requestBody && { requestBody: addTo(operation.requestBody, body) }),
    responses: Object.fromEntries(answered),
  };
}

function addTo<Part extends { content?: OpenApiOperation['responses'][string]['content'] }>(
  part: Part,
  named: Named | undefined,
): Part {
  return part.content && named
    ? { ...part, content: { 'application/json': { ...part.content['application/json'], ...shown(named) } } }
    : part;
}

function shown(named: Named) {
  return { examples: Object.fromEntries(Object.entries(named).map(([name, value]) => [name, { value }])) };
}
