import {
  type ASTNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { DeniedFields } from '../operation/collect-fields.ts';
import type { ValidOperation } from '../operation/document.ts';
import type { Requirement, RequirementIndex } from '../supergraph/requirements.ts';
import type { MissingScopes } from './missing-scopes.ts';

/** The fields of an operation that have requirements. */
export type GuardedFields = ReadonlyMap<FieldNode, ReadonlySet<Requirement>>;

/** Finds the fields of an operation, and of its fragments, that have requirements. */
export function findGuardedFields(
  { operation, fragments }: Pick<ValidOperation, 'operation' | 'fragments'>,
  schema: GraphQLSchema,
  index: RequirementIndex,
): GuardedFields {
  const guarded = new Map<FieldNode, ReadonlySet<Requirement>>();
  if (index.isEmpty) {
    return guarded;
  }
  for (const root of [operation, ...fragments.values()]) {
    const types = new TypeInfo(schema);
    const note = (field: FieldNode): void => {
      const parent = types.getParentType();
      // `__typename` is never denied: a caller that has an object may know its type.
      if (!parent || field.name.value.startsWith('__')) {
        return;
      }
      const requirements = index.ofField(parent.name, field.name.value);
      if (requirements.size > 0) {
        guarded.set(field, requirements);
      }
    };
    visit(root, visitWithTypeInfo(types, { Field: { enter: note } }));
  }
  return guarded;
}

/** The distinct requirements of an operation. */
export function requirementsOf(guarded: GuardedFields): readonly Requirement[] {
  return [...new Set([...guarded.values()].flatMap((requirements) => [...requirements]))];
}

/** The fields that a caller with these missing scopes may not select. */
export function unauthorizedFields(guarded: GuardedFields, { requirements }: MissingScopes): DeniedFields {
  return new Map(
    [...guarded].flatMap(([field, needed]) => {
      const unmet = [...needed].filter((requirement) => requirements.has(requirement));
      const scopes = unmet.flatMap((requirement) => requirements.get(requirement) ?? []);
      return unmet.length === 0 ? [] : [[field, [...new Set(scopes)]] as const];
    }),
  );
}

/**
 * The operation to plan. It selects `__typename` in the place of each denied field, so that the plan still finds the objects
 * around the field and their types.
 */
export function withoutFields<T extends Pick<ValidOperation, 'operation' | 'fragments'>>(
  { operation, fragments }: T,
  denied: DeniedFields,
): Pick<ValidOperation, 'operation' | 'fragments'> {
  const replace = <N extends ASTNode>(root: N): N =>
    visit(root, {
      Field: {
        enter: (field): FieldNode | undefined =>
          denied.has(field)
            ? {
                kind: Kind.FIELD,
                name: { kind: Kind.NAME, value: '__typename' },
                directives: field.directives ?? [],
              }
            : undefined,
      },
    });
  return {
    operation: replace(operation),
    fragments: new Map([...fragments].map(([name, fragment]) => [name, replace(fragment)])),
  };
}
