import {
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import { type ConcreteType, resolveConcreteType } from '../executor/concrete-type.ts';
import { addErrors, type ExecutionState, isDataObject, type Path, type Step } from '../executor/state.ts';
import {
  collectFields,
  type FieldGroup,
  isDenied,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../operation/collect-fields.ts';
import type { MissingScopes } from './missing-scopes.ts';

const LIST = new Intl.ListFormat('en');

function reasonOf(code: MissingScopes['code'], scopes: readonly string[]): string {
  if (code === 'UNAUTHENTICATED') {
    return 'takes a known caller';
  }
  const names =
    scopes.length === 0 ? 'a scope' : `the scope${scopes.length === 1 ? '' : 's'} ${LIST.format(scopes)}`;
  return `takes ${names}, which the caller does not have`;
}

function deniedError(
  { denied }: OperationContext,
  type: ConcreteType,
  group: FieldGroup,
  path: Path,
  code: MissingScopes['code'],
): GraphQLError {
  const field = `${type.name}.${group.definition?.name}`;
  const missingScopes = [...new Set(group.nodes.flatMap(({ node }) => denied?.get(node) ?? []))];
  return new GraphQLError(`${field} ${reasonOf(code, missingScopes)}.`, {
    path,
    extensions: { code, ...(missingScopes.length > 0 && { missingScopes }) },
  });
}

interface Reporting {
  readonly context: OperationContext;
  readonly code: MissingScopes['code'];
  readonly state: ExecutionState;
}

function reportBelow(
  reporting: Reporting,
  type: GraphQLCompositeType,
  entries: readonly SelectionEntry[],
  value: unknown,
  path: Path,
): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      reportBelow(reporting, type, entries, item, [...path, index]);
    });
  } else if (isDataObject(value)) {
    const concrete = isObjectType(type)
      ? type
      : resolveConcreteType(reporting.context, type, value.__typename);
    if (concrete !== null) {
      reportIn(reporting, concrete, entries, value, path);
    }
  }
}

function reportIn(
  reporting: Reporting,
  type: ConcreteType,
  entries: readonly SelectionEntry[],
  object: Readonly<Record<string, unknown>>,
  above: Path,
): void {
  const { context, code, state } = reporting;
  for (const group of collectFields(context, type, entries, state.conditions)) {
    const path = [...above, group.key];
    const below = group.definition === null ? null : getNamedType(group.definition.type);
    if (isDenied(group)) {
      addErrors(state, [path], () => [deniedError(context, type, group, path, code)]);
    } else if (isCompositeType(below)) {
      reportBelow(reporting, below, subEntries(group), object[group.source], path);
    }
  }
}

/**
 * A step that reports an error at each position of a denied field. It runs when all data has arrived. The answer has
 * null at these positions, because no data is found for them.
 *
 * @param context of the operation as the client wrote it, with its denied fields
 */
export function reportMissingScopes(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  code: MissingScopes['code'],
): Step {
  return (state) => {
    reportIn({ context, code, state }, rootType, entries, state.data, []);
    return undefined;
  };
}

/** The errors of an operation that must not start when a root field is denied. */
export function rootFailures(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  code: MissingScopes['code'],
): GraphQLError[] {
  return collectFields(context, rootType, entries, null)
    .filter(isDenied)
    .map((group) => deniedError(context, rootType, group, [group.key], code));
}
