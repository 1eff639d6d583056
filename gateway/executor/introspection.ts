import {
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { ResponseKeys } from '../planner/response-keys.ts';
import { type Fragments, withRootSelections } from '../planner/root-selections.ts';
import type { Step } from './state.ts';

/** Compiles the root's `__schema` and `__type` to a step that answers them from the schema itself. */
export function compileIntrospection(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  selections: SelectionSetNode,
  keys: ResponseKeys,
): Step {
  const document = withRootSelections(operation, fragments, selections);
  const sources = new Map<string, string>();
  visit(selections, {
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
    state.errors.push(...(result.errors ?? []));
    return undefined;
  };
}
