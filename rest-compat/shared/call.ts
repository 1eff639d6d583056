import type { Documents } from '../../schema/operations/types.ts';
import type { Answers, Parameter } from './openapi/document.ts';
import type { Outcome } from './outcome.ts';
import type { RestRequest } from './request.ts';

/** A document of `schema/operations`, by file name. */
export type DocumentName = keyof Documents;
/** What a document answers. */
export type DataOf<Name extends DocumentName> = Documents[Name]['data'];
/** What a document takes. */
export type VariablesOf<Name extends DocumentName> = Documents[Name]['variables'];

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
