import {
  type DocumentNode,
  execute,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { OperationContext } from '../operation/collect-fields.ts';
import { addErrors, type Step } from './state.ts';

/** Compiles the root's `__schema` and `__type` to a step that answers them from the schema itself. */
export function compileIntrospection(
  { schema, fragments, keys }: OperationContext,
  operation: OperationDefinitionNode,
  selectionSet: SelectionSetNode,
): Step {
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet }, ...fragments.values()],
  };
  const sources = new Map<string, string>();
  visit(selectionSet, {
    Field(field) {
      if (field.name.value === '__schema' || field.name.value === '__type') {
        sources.set(field.alias?.value ?? field.name.value, keys.planKey(field));
      }
      return false;
    },
  });
  return (state) => {
    const result = execute({ schema, document, variableValues: state.variables });
    if (result instanceof Promise) {
      throw new Error('Introspection cannot be asynchronous.');
    }
    for (const [key, source] of sources) {
      state.data[source] = result.data?.[key] ?? null;
    }
    for (const error of result.errors ?? []) {
      addErrors(state, [], () => [error]);
    }
    return undefined;
  };
}
