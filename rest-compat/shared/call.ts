import type { FastifyReply } from 'fastify';
import { contextOf } from '../../subgraphs/platform/serve/request-context.ts';
import type { DataOf, DocumentName, RunDocument, VariablesOf } from './documents.ts';
import type { Answers, Parameter } from './openapi/document.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { RestResponse } from './reply.ts';
import type { RestRequest } from './request.ts';

interface CallTo<Name extends DocumentName> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** As Fastify writes it: `/partner/links/:linkId`. */
  readonly path: string;
  /** The document that the call runs. */
  readonly document: Name;
  variables(request: RestRequest): VariablesOf<Name>;
  /** From what the document answered to the documented body. */
  present(data: DataOf<Name>): Outcome;

  // What OpenAPI says of the call.
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Default: the surface's own. */
  readonly tag?: string;
  /** Parameters that are not in the path. */
  readonly parameters?: readonly Parameter[];
  /** Name of the body's schema. */
  readonly body?: string;
  readonly isBodyOptional?: boolean;
  /** By status; the first one below 300 is that of a success. */
  readonly answers: Answers;
}

/**
 * One documented call, declared once: its route, the document that it runs, its answer, and its description in OpenAPI.
 * @typeParam Details what only one surface has to say of a call
 */
export type Call<Name extends DocumentName = DocumentName, Details = object> = {
  [One in Name]: CallTo<One> & Details;
}[Name];

/** Runs the document of a call. */
export async function runCall<Name extends DocumentName>(
  call: Call<Name>,
  run: RunDocument,
  request: RestRequest,
  reply: FastifyReply,
): Promise<Outcome> {
  const result = await run(call.document, call.variables(request), contextOf(request, reply));
  const outcome = outcomeOf(result);
  return outcome.kind === 'success' ? call.present(outcome.data) : outcome;
}

/** How a success of a call is answered: its body, with the status of the first answer below 300. */
export function presentSuccess({ answers }: Pick<Call, 'answers'>): (body: unknown) => RestResponse {
  const status = Object.keys(answers)
    .map(Number)
    .find((one) => one < 300);
  if (status === undefined) {
    throw new TypeError('A call has no answer below 300');
  }
  return (body) => ({ status, body });
}
