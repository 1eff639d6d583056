import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
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
  /** What is wanted of the objects that the field returns; `null` for a leaf. */
  readonly below: Below | null;
}

/** What is wanted of objects, by their object types. */
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

/** What the reading of an operation depends on besides the operation. */
export interface ReadingDeps {
  readonly conditions: ConditionWriter;
  readonly exactNumbers: ExactNumbers;
  /** Interfaces and unions that may turn out to be of a type that clients must not know. */
  readonly partlyHiddenTypes: ReadonlySet<string>;
}

/** Reads what a client wants: fragments written out for each object type, conditions on fields. */
export class WantReader {
  private remaining = MAX_FIELDS;
  private readonly nodeIds = new WeakMap<FieldNode, number>();
  private nodes = 0;
  private readonly context: OperationContext;
  private readonly deps: ReadingDeps;

  constructor(context: OperationContext, deps: ReadingDeps) {
    this.context = context;
    this.deps = deps;
  }

  /** How many fields were read. */
  get fields(): number {
    return MAX_FIELDS - this.remaining;
  }

  /** @throws TooLarge when the operation selects too many fields, or one under too many combinations of conditions. */
  read(groups: readonly FieldGroup[]): Want[] {
    return groups.flatMap((group) => this.readGroup(group) ?? []);
  }

  private readGroup(group: FieldGroup): Want | null {
    const [first] = group.nodes;
    const { definition } = group;
    const anyOf = this.deps.conditions.simplify(group.nodes.map(({ conditions }) => conditions));
    if (
      first === undefined ||
      definition === null ||
      definition.name === '__typename' ||
      anyOf.length === 0
    ) {
      return null;
    }
    this.remaining -= 1;
    if (this.remaining < 0) {
      throw new TooLarge(`The operation selects more than ${MAX_FIELDS} fields.`);
    }
    const type = getNamedType(definition.type);
    const variables = new Set<string>();
    for (const argument of first.node.arguments ?? []) {
      visit(argument, { Variable: ({ name }) => void variables.add(name.value) });
    }
    return {
      id: nextWantId(),
      key: group.source,
      field: definition.name,
      args: this.deps.exactNumbers.write(first.node.arguments ?? [], definition.args),
      variables: [...variables],
      anyOf,
      below: isCompositeType(type) ? this.readBelow(type, entriesBelow(group)) : null,
    };
  }

  private readBelow(type: GraphQLCompositeType, entries: readonly SelectionEntry[]): Below {
    if (isObjectType(type)) {
      const wants = this.read(collectFields(this.context, type, entries, null));
      return { byType: new Map([[type.name, wants]]), namesType: false };
    }
    const shared = new Map<string, Want | null>();
    const byType = new Map<string, readonly Want[]>();
    for (const concrete of this.context.schema.getPossibleTypes(type)) {
      byType.set(concrete.name, this.readShared(concrete, entries, shared));
    }
    const isAlike =
      isInterfaceType(type) &&
      !this.deps.partlyHiddenTypes.has(type.name) &&
      !dependsOnType(this.context, type, entries, null);
    return { byType, namesType: isAbstractType(type) && !isAlike };
  }

  private readShared(
    type: GraphQLObjectType,
    entries: readonly SelectionEntry[],
    shared: Map<string, Want | null>,
  ): Want[] {
    return collectFields(this.context, type, entries, null).flatMap((group) => {
      const id = this.signatureOf(group);
      const known = shared.get(id);
      const want = known === undefined ? this.readGroup(group) : known;
      shared.set(id, want);
      return want ?? [];
    });
  }

  /** The same text for groups of two types that select the same and return the same. */
  private signatureOf({ key, definition, nodes }: FieldGroup): string {
    const selected = nodes.map(({ node, conditions }) => {
      const id = this.nodeIds.get(node) ?? this.nodes++;
      this.nodeIds.set(node, id);
      return `${id} ${conditions.map(conditionText).join(' ')}`;
    });
    return `${key}:${definition === null ? '' : getNamedType(definition.type).name}:${selected.join()}`;
  }
}

function entriesBelow({ nodes }: FieldGroup): SelectionEntry[] {
  return nodes.flatMap(({ node, conditions }) =>
    node.selectionSet === undefined ? [] : [{ selectionSet: node.selectionSet, conditions }],
  );
}
