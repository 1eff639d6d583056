import type { ConcreteRequest } from 'relay-runtime';

// The output of Relay's compiler for documents, as far as tests need it: the compiler is a program of 50 MB.

/** A selection of a compiled document. */
type Selection = Readonly<Record<string, unknown>>;

/** A field without selections. */
export const scalar = (name: string): Selection => ({
  kind: 'ScalarField',
  alias: null,
  args: null,
  name,
  storageKey: null,
});

interface Linked {
  readonly type: string;
  readonly isList?: boolean;
  /** Its arguments, each with the variable of the same name. */
  readonly variables?: readonly string[];
}

/** A field with selections. */
export const linked = (
  name: string,
  { type, isList = false, variables = [] }: Linked,
  selections: readonly Selection[],
): Selection => ({
  kind: 'LinkedField',
  alias: null,
  args: variables.map((variable) => ({ kind: 'Variable', name: variable, variableName: variable })),
  concreteType: type,
  name,
  plural: isList,
  selections,
  storageKey: null,
});

/** A compiled operation. */
export function compiled(
  operationKind: 'query' | 'subscription',
  { name, text, variables = [] }: { name: string; text: string; variables?: readonly string[] },
  selections: readonly Selection[],
): ConcreteRequest {
  const argumentDefinitions = variables.map((variable) => ({
    kind: 'LocalArgument',
    name: variable,
    defaultValue: null,
  }));
  const type = operationKind === 'query' ? 'Query' : 'Subscription';
  const request = {
    kind: 'Request',
    fragment: {
      kind: 'Fragment',
      name,
      type,
      metadata: null,
      abstractKey: null,
      argumentDefinitions,
      selections,
    },
    operation: { kind: 'Operation', name, argumentDefinitions, selections },
    params: { cacheID: name, id: null, metadata: {}, name, operationKind, text },
  };
  // Relay's types divide what it reads from what it stores; these selections are both.
  return request as unknown as ConcreteRequest;
}
