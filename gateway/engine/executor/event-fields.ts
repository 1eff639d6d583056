import {
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NameNode,
  parse,
  print,
} from 'graphql';
import type { SubgraphResponse } from '../transports/transport.ts';

/** Values of fields of one event, by the fields' names. */
export type EventFields = Readonly<Record<string, unknown>>;

const fieldsByResult = new WeakMap<ExecutionResult, EventFields>();

/** Returns the event fields of a subscription's result (`EngineOptions.eventFields`); undefined for a result without any. */
export function eventFieldsOf(result: ExecutionResult): EventFields | undefined {
  return fieldsByResult.get(result);
}

/** Stores the value that {@link eventFieldsOf} returns for a result. */
export function keepEventFields(result: ExecutionResult, fields: EventFields | undefined): void {
  if (fields !== undefined) {
    fieldsByResult.set(result, fields);
  }
}

/** A subscription's document that also reads event fields. */
interface DocumentWithEventFields {
  readonly document: string;
  /** Finds the values in an event. Call it before the engine takes the event over. */
  read(event: SubgraphResponse): EventFields | undefined;
}

/**
 * Adds fields to the one root field of a subscription's document, under names that it does not have yet; only those that
 * the type of its events has. The client's answer has the shape of the client's selection, so it never shows them.
 *
 * @param text a document for the subgraph that resolves these fields, without fragments at its root
 * @param schema with the types of the whole supergraph
 */
export function addEventFields(
  text: string,
  names: readonly string[],
  schema: GraphQLSchema,
): DocumentWithEventFields {
  const document = parse(text, { noLocation: true });
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const root = operation?.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
  const known = root === undefined ? {} : fieldsOfEvent(schema, root.name.value);
  const added = names.filter((name) => name in known).map((name) => field(name, unusedAlias(text, name)));
  if (root?.selectionSet === undefined || added.length === 0) {
    return { document: text, read: () => undefined };
  }
  Object.assign(root.selectionSet, { selections: [...root.selectionSet.selections, ...added] });
  const key = root.alias?.value ?? root.name.value;
  return { document: print(document), read: ({ data }) => valuesOf(data?.[key], added) };
}

function fieldsOfEvent(schema: GraphQLSchema, root: string): Readonly<Record<string, unknown>> {
  const type = getNamedType(schema.getSubscriptionType()?.getFields()[root]?.type);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

function valuesOf(event: unknown, fields: readonly AliasedField[]): EventFields | undefined {
  if (typeof event !== 'object' || event === null) {
    return undefined;
  }
  const values = new Map(Object.entries(event));
  return Object.fromEntries(fields.map(({ name, alias }) => [name.value, values.get(alias.value)]));
}

function unusedAlias(text: string, name: string): string {
  let alias = `event_${name}`;
  while (text.includes(alias)) {
    alias += '_';
  }
  return alias;
}

type AliasedField = FieldNode & { readonly alias: NameNode };

function field(name: string, alias: string): AliasedField {
  return {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: name },
    alias: { kind: Kind.NAME, value: alias },
  };
}
