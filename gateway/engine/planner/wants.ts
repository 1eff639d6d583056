import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  visit,
} from 'graphql';
import { type Alternatives, conditionText } from '../conditions.ts';
import {
  collectFields,
  dependsOnType,
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
} from '../operation/collect-fields.ts';
import { type ConditionWriter, TooLarge } from './conditions.ts';
import type { ExactNumbers } from './exact-numbers.ts';

/** A field that a plan must fetch of objects of a type. Types that want the same share one object. */
export interface Want {
  /** Wants with the same id are the same. */
  readonly id: number;
  /** Where the plan holds the value. */
  readonly key: string;
  readonly field: string;
  /** The arguments as the subgraph gets them; '' when there are none. */
  readonly args: string;
  /** Variables in the arguments. */
  readonly variables: readonly string[];
  /** When the client wants it; `null` for a field that the plan needs, which depends on what it is for. */
  readonly anyOf: Alternatives | null;
  /** The selections on the objects that the field returns; `null` for a leaf. */
  readonly below: Below | null;
}

/** The selections on objects, by their object types. */
export interface Below {
  readonly byType: ReadonlyMap<string, readonly Want[]>;
  /** Whether the answer depends on the name of the object's type. */
  readonly namesType: boolean;
}

/** Most fields of an operation: fragments can make a short document expand without bound. */
const MAX_FIELDS = 5_000;

let lastId = 0;

/** An id that no other want has. */
export function nextWantId(): number {
  lastId += 1;
  return lastId;
}

interface ReadingDeps {
  readonly conditions: ConditionWriter;
  readonly exactNumbers: ExactNumbers;
  /** Interfaces and unions that may turn out to be of a type that clients must not know. */
  readonly partlyHiddenTypes: ReadonlySet<string>;
}

/** A want that was read, and how many fields it has with those below it, fragments written out. */
interface Read {
  readonly want: Want | null;
  readonly fields: number;
}

/** Reads what a client wants: fragments written out for each object type, conditions on fields. */
export class WantReader {
  private remaining = MAX_FIELDS;
  private readonly nodeIds = new WeakMap<FieldNode, number>();
  private nodes = 0;
  private readonly known = new Map<string, Read>();

  constructor(
    private readonly context: OperationContext,
    private readonly deps: ReadingDeps,
  ) {}

  /**
   * Selections that are the same and return the same are one want, wherever they are.
   *
   * @throws TooLarge when the operation selects too many fields, or one under too many combinations of conditions.
   */
  read(groups: readonly FieldGroup[]): Want[] {
    return groups.flatMap((group) => {
      const { definition } = group;
      if (definition === null || definition.name === '__typename') {
        return [];
      }
      const args = this.deps.exactNumbers.write(group.nodes[0]?.node.arguments ?? [], definition.args);
      const type = getNamedType(definition.type);
      const id = `${group.source} ${type.name} ${args} ${this.idsOf(group)}`;
      const known = this.known.get(id);
      if (known !== undefined) {
        this.count(known.fields);
        return known.want ?? [];
      }
      const before = this.remaining;
      const want = this.readGroup(group, definition.name, args, type);
      this.known.set(id, { want, fields: before - this.remaining });
      return want ?? [];
    });
  }

  private count(fields: number): void {
    this.remaining -= fields;
    if (this.remaining < 0) {
      throw new TooLarge(`The operation selects more than ${MAX_FIELDS} fields.`);
    }
  }

  private readGroup(group: FieldGroup, field: string, args: string, type: GraphQLNamedType): Want | null {
    const anyOf = this.deps.conditions.simplify(group.nodes.map(({ conditions }) => conditions));
    if (anyOf.length === 0) {
      return null;
    }
    this.count(1);
    const variables = new Set<string>();
    for (const argument of group.nodes[0]?.node.arguments ?? []) {
      visit(argument, { Variable: ({ name }) => void variables.add(name.value) });
    }
    return {
      id: nextWantId(),
      key: group.source,
      field,
      args,
      variables: [...variables],
      anyOf,
      below: isCompositeType(type) ? this.readBelow(type, entriesBelow(group)) : null,
    };
  }

  private readBelow(type: GraphQLCompositeType, entries: readonly SelectionEntry[]): Below {
    const types = typesBehind(this.context.schema, type);
    const isAlike =
      isObjectType(type) ||
      (isInterfaceType(type) &&
        !this.deps.partlyHiddenTypes.has(type.name) &&
        !dependsOnType(this.context, type, entries, null));
    const byType = new Map(
      types.map((one) => [one.name, this.read(collectFields(this.context, one, entries, null))]),
    );
    return { byType, namesType: !isAlike };
  }

  /** The same text for groups of the same selections under the same conditions. */
  private idsOf({ nodes }: FieldGroup): string {
    const selected = nodes.map(({ node, conditions }) => {
      const id = this.nodeIds.get(node) ?? this.nodes++;
      this.nodeIds.set(node, id);
      return `${id} ${conditions.map(conditionText).join(' ')}`;
    });
    return selected.join();
  }
}

/**
 * The types by which selections of a type are read: its object types. An interface that no type implements stands for itself,
 * because a subgraph may have it as an interface object.
 */
export function typesBehind(
  schema: GraphQLSchema,
  type: GraphQLCompositeType,
): readonly (GraphQLObjectType | GraphQLInterfaceType)[] {
  if (isObjectType(type)) {
    return [type];
  }
  const types = schema.getPossibleTypes(type);
  return types.length === 0 && isInterfaceType(type) ? [type] : types;
}

function entriesBelow({ nodes }: FieldGroup): SelectionEntry[] {
  return nodes.flatMap(({ node, conditions }) =>
    node.selectionSet === undefined ? [] : [{ selectionSet: node.selectionSet, conditions }],
  );
}
