import {
  type ASTNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { ValidOperation } from '../planner/document.ts';
import type { MissingScopes, Requirement, RequirementIndex } from './requirements.ts';

/** Fields of an operation that take something of the principal. */
export type GuardedFields = ReadonlyMap<FieldNode, ReadonlySet<Requirement>>;

/** Finds the fields of an operation, and of its fragments, that take something of the principal. */
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
      // `__typename` is never refused: whoever has an object may know what it is.
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

/** The fields that someone who lacks this may not select. */
export function unauthorizedFields(
  guarded: GuardedFields,
  missingScopes: MissingScopes,
): ReadonlySet<FieldNode> {
  const failed = [...guarded].filter(([, requirements]) =>
    [...requirements].some((requirement) => missingScopes.requirements.has(requirement)),
  );
  return new Set(failed.map(([field]) => field));
}

/**
 * The operation to plan: in the place of a refused field stands `__typename`, so that the objects around it are found
 * all the same, and their types known.
 */
export function withoutFields<T extends Pick<ValidOperation, 'operation' | 'fragments'>>(
  { operation, fragments }: T,
  failed: ReadonlySet<FieldNode>,
): Pick<ValidOperation, 'operation' | 'fragments'> {
  const replace = <N extends ASTNode>(root: N): N =>
    visit(root, {
      Field: {
        enter: (field): FieldNode | undefined =>
          failed.has(field)
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
