import type { ExecutionResult } from 'graphql';
import { fieldOf } from '../../subgraphs/kernel/objects.ts';
import { hideInLog } from '../../subgraphs/kernel/person/mask-numbers.ts';
import type { OperationNote, RequestContext } from '../../subgraphs/kernel/principal.ts';
import type { EngineHooks, OperationInfo } from '../engine/index.ts';
import { createSubjectsOfFields, subjectsOfPayloads } from '../http/request-subjects.ts';

/** The longest name of an operation that is kept: clients choose it. */
const LONGEST_NAME = 100;

/** Hooks that store the data for the request log on the context of each operation, if the context has a note. */
export function noteOperations(): EngineHooks<RequestContext> {
  const subjectsOfFields = createSubjectsOfFields();
  const take = (note: OperationNote, operation: OperationInfo, { data, errors }: ExecutionResult) => {
    const name = operation.operationName ?? nameIn(operation.document);
    note.operationName = name && hideInLog(name).slice(0, LONGEST_NAME);
    note.code ??= errors?.length ? textOf(errors[0]?.extensions.code) : undefined;
    if (note.isMutation) {
      note.code ??= Object.values(data ?? {})
        .map(codeOfPayload)
        .find(Boolean);
      note.subjects.push(...subjectsOfPayloads(data ?? {}), ...subjectsOfFields(operation));
    }
  };
  return {
    onOperation: (operation, context, next) => {
      const { note } = context;
      if (!note) {
        return next(context);
      }
      const startedAt = performance.now();
      return next(context).then((result) => {
        take(note, operation, result);
        note.onEnd?.(performance.now() - startedAt);
        return result;
      });
    },
    onFetch: (fetch, context, next) => {
      if (context.note && fetch.operationKind === 'mutation') {
        context.note.isMutation = true;
      }
      return next(context);
    },
  };
}

/** The name of a document's first operation: clients may omit it for a document with one operation. */
function nameIn(document: string): string | undefined {
  return /\b(?:query|mutation|subscription)\s+([A-Za-z_]\w*)/.exec(document)?.[1];
}

/**
 * The code of the first issue of a failed mutation. The mutation also counts as failed if the client did not select
 * codes.
 */
function codeOfPayload(payload: unknown): string | undefined {
  const issues = fieldOf(payload, 'userErrors');
  if (!Array.isArray(issues) || issues.length === 0) {
    return undefined;
  }
  const code = fieldOf(issues[0], 'code');
  return typeof code === 'string' ? code : 'BAD_USER_INPUT';
}

/** An error without a code is an internal one. */
function textOf(code: unknown): string {
  return typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR';
}
