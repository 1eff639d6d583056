import type { Documents } from '../../schema/operations/types.ts';
import type { Answers, Parameter } from './openapi/document.ts';
import type { Outcome } from './outcome.ts';
import type { RestRequest } from './request.ts';

/** A document of `schema/operations`, by file name. */
export type DocumentName = keyof Documents;
/** The result of a document. */
export type DataOf<Name extends DocumentName> = Documents[Name]['data'];
/** The variables of a document. */
export type VariablesOf<Name extends DocumentName> = Documents[Name]['variables'];

interface CallTo<Name extends DocumentName> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Path in Fastify's form: `/partner/links/:linkId`. */
  readonly path: string;
  /** The document that the call runs. */
  readonly document: Name;
  variables(request: RestRequest): VariablesOf<Name>;
  /** Turns the document's result into the documented body. */
  present(data: DataOf<Name>): Outcome;

  // The call's description in OpenAPI.
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
  /** Whether it takes an `Idempotency-Key`, and answers a retry with the stored answer. */
  readonly replays?: boolean;
  /** Answers by status. The first one below 300 is the answer to a success. */
  readonly answers: Answers;
}

/**
 * One documented call, declared once: its route, its document, its answer, and its description in OpenAPI.
 * @typeParam Details options that only one surface has
 */
export type Call<Name extends DocumentName = DocumentName, Details = object> = {
  [One in Name]: CallTo<One> & Details;
}[Name];
