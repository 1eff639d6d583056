import { type FieldNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import type { ConditionValues } from '../conditions.ts';
import { type Branches, Knowledge, WrongPlan } from './knowledge.ts';
import type { Model } from './model.ts';
import type { FetchNode, KeyRename, PlanNode, PlanPath, RequiresSelection } from './plan.ts';
import {
  type Applying,
  aliasesOf,
  DocumentReader,
  keyOf,
  meaningOf,
  type Objects,
  satisfies,
} from './read-document.ts';
import type { FieldSet, Place } from './read-model.ts';
import { remember } from './remember.ts';
import { argumentsText } from './response-keys.ts';

/** Which fields of references there are, for objects of a type. */
interface Sent {
  readonly key: string;
  readonly name: string;
  readonly below: readonly RequiresSelection[];
}

/** The documents of a plan, each read once. */
export class Documents {
  private readonly known = new Map<string, OperationDefinitionNode>();

  operationOf(text: string): OperationDefinitionNode {
    return remember(this.known, text, () => operationOf(text));
  }

  rootFields(text: string): FieldNode[] {
    return this.operationOf(text).selectionSet.selections.filter((one) => one.kind === Kind.FIELD);
  }
}

interface SimulationDeps {
  readonly model: Model;
  readonly documents: Documents;
  readonly values: ConditionValues;
}

/** Runs a plan over types alone, for one assignment of the variables that conditions use. */
export class Simulation {
  readonly root: Knowledge;
  private readonly model: Model;
  private readonly documents: Documents;
  private readonly values: ConditionValues;
  private readonly reader: DocumentReader;
  private readonly hidden = new Set<number>();
  private isRun = false;
  private branches: Branches = [];
  private lastBranch = 0;

  constructor({ model, documents, values }: SimulationDeps, rootType: string) {
    this.model = model;
    this.documents = documents;
    this.values = values;
    this.reader = new DocumentReader(model, values);
    this.root = new Knowledge(model);
    this.root.returned([rootType]);
  }

  /** @throws WrongPlan when a fetch asks a subgraph for what it cannot answer. */
  run(node: PlanNode | null | undefined): void {
    switch (node?.kind) {
      case 'Sequence':
        for (const child of node.nodes) {
          this.run(child);
        }
        break;
      case 'Parallel':
        this.runParallel(node.nodes);
        break;
      case 'Condition':
        this.run(this.values[node.condition] === true ? node.ifClause : node.elseClause);
        break;
      case 'Subscription':
        this.fetchRoot(node.primary, [this.root]);
        break;
      case 'Fetch':
        this.fetchRoot(node, [this.root]);
        break;
      case 'Flatten':
        this.runFlatten(node);
        break;
      case 'BatchFetch': {
        const fields = this.documents.rootFields(node.operation);
        for (const alias of node.entityBatch.aliases) {
          const field = fields.find((one) => keyOf(one) === alias.alias);
          for (const path of alias.paths) {
            this.fetchEntities(node.serviceName, field?.selectionSet, path, alias);
          }
        }
        break;
      }
    }
  }

  private runParallel(nodes: readonly PlanNode[]): void {
    const outer = this.branches;
    const own = nodes.map(() => ++this.lastBranch);
    for (const [index, child] of nodes.entries()) {
      own.forEach(
        (branch, other) => void (other === index ? this.hidden.delete(branch) : this.hidden.add(branch)),
      );
      this.branches = [...outer, own[index] ?? 0];
      this.run(child);
    }
    for (const branch of own) {
      this.hidden.delete(branch);
    }
    this.branches = outer;
  }

  private runFlatten({ path, node }: Extract<PlanNode, { kind: 'Flatten' }>): void {
    if (node.kind !== 'Fetch') {
      throw new WrongPlan(`A plan flattens a ${node.kind}.`);
    }
    if (node.requires === undefined) {
      const found = this.locate(path).filter(({ cls }) => this.model.isRoot(cls));
      this.fetchRoot(
        node,
        found.map(({ known }) => known),
      );
    } else {
      const [field] = this.documents.rootFields(node.operation);
      this.fetchEntities(node.serviceName, field?.selectionSet, path, node);
    }
  }

  private fetchRoot(node: FetchNode, places: readonly Knowledge[]): void {
    const operation = this.documents.operationOf(node.operation);
    const rootType = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[
      operation.operation
    ];
    if (operation.operation !== 'query') {
      if (this.isRun) {
        throw new WrongPlan(`The ${operation.operation} runs in several subgraphs.`);
      }
      this.isRun = true;
    }
    for (const known of places) {
      const applying = this.applying(node.serviceName, node.renames, () => false);
      this.reader.apply(applying, operation.selectionSet, { known, cls: rootType }, [], '');
    }
  }

  private applying(
    subgraph: string,
    renames: readonly KeyRename[] | undefined,
    isRequired: Applying['isRequired'],
  ): Applying {
    return { subgraph, branches: this.branches, aliases: aliasesOf(renames), shapes: new Map(), isRequired };
  }

  /** Objects at a place, as many times as there are classes. */
  private locate(path: PlanPath): Objects[] {
    let found: Objects[] = this.root.possible.map((cls) => ({ known: this.root, cls }));
    for (const segment of path) {
      if (segment === '@') {
        continue;
      }
      if ('Field' in segment) {
        const values = found.flatMap((objects) =>
          this.runtimeTypes(objects).flatMap((type) => objects.known.find(type, segment.Field, this.hidden)),
        );
        const places = new Set(values.flatMap(({ below }) => below ?? []));
        found = [...places].flatMap((known) => known.possible.map((cls) => ({ known, cls })));
      } else {
        found = found.flatMap((objects) =>
          this.runtimeTypes(objects).flatMap((type) =>
            segment.TypeCondition.some((condition) => satisfies(this.model, type, condition))
              ? [{ ...objects, cls: type }]
              : [],
          ),
        );
      }
    }
    return found;
  }

  /** The value of `__typename` for objects of a class: of interface objects, the types once they are known. */
  private runtimeTypes({ known, cls }: Objects): readonly string[] {
    if (!this.model.isInterface(cls)) {
      return [cls];
    }
    const types = this.model.possibleTypes(cls);
    return types.some((type) =>
      known.find(type, '__typename', this.hidden).some(({ meaning }) => meaning === type),
    )
      ? types
      : [cls];
  }

  private fetchEntities(
    subgraph: string,
    set: SelectionSetNode | undefined,
    path: PlanPath,
    fetch: Pick<FetchNode, 'requires' | 'sendAs' | 'renames'>,
  ): void {
    for (const objects of this.locate(path)) {
      for (const type of this.runtimeTypes(objects)) {
        const sent = this.sentOf(fetch.requires ?? [], type);
        if (sent === null) {
          continue;
        }
        // An object without its name is not sent. If anything is wanted of it, the check of the answer finds that missing.
        if (objects.known.find(type, '__typename', this.hidden).length === 0) {
          continue;
        }
        const owner = fetch.sendAs ?? type;
        if (!this.hasKey(subgraph, owner, { known: objects.known, cls: type }, sent)) {
          continue;
        }
        const has = (fieldSet: FieldSet) =>
          this.hasSet({ known: objects.known, cls: type }, fieldSet.selectionSet, sent);
        const isRequired = ({ requires }: Place) => requires !== null && has(requires);
        const applying = this.applying(subgraph, fetch.renames, isRequired);
        this.applyToEntity(applying, set, owner, { known: objects.known, cls: type });
      }
    }
  }

  private applyToEntity(
    applying: Applying,
    set: SelectionSetNode | undefined,
    owner: string,
    objects: Objects,
  ): void {
    if (set === undefined) {
      throw new WrongPlan(`${applying.subgraph} is asked for no fields.`);
    }
    const classes = this.model
      .classes(owner, applying.subgraph)
      .filter((cls) => cls === owner || cls === objects.cls || this.model.isInterface(objects.cls));
    for (const cls of classes) {
      // An answer of an interface object's subgraph about a known type belongs to that type.
      const target = cls === owner ? objects.cls : cls;
      this.reader.apply(applying, set, { known: objects.known, cls: target }, [], '', cls);
    }
  }

  /** The fields that references to objects of a type have; `null` when there are none. */
  private sentOf(requires: readonly RequiresSelection[], type: string): Sent[] | null {
    const found = requires.flatMap((selection): (Sent[] | null)[] => {
      if (selection.kind === 'Field') {
        const { name, alias = name, selections = [] } = selection;
        return [[{ key: name, name: alias, below: selections }]];
      }
      const condition = selection.typeCondition;
      const applies = satisfies(this.model, type, condition) || satisfies(this.model, condition, type);
      return applies ? [this.sentOf(selection.selections, type)] : [];
    });
    const sent = found.filter((one) => one !== null);
    return sent.length === 0 ? null : sent.flat();
  }

  /** Objects whose key was not fetched are not sent. */
  private hasKey(subgraph: string, owner: string, objects: Objects, sent: readonly Sent[]): boolean {
    return this.model
      .entrances(owner)
      .filter((one) => one.subgraph === subgraph && one.owner === owner)
      .some(({ key }) => key !== null && this.hasSet(objects, key.selectionSet, sent));
  }

  /** Whether references have all of a field set, and it was fetched before. */
  private hasSet(objects: Objects, { selections }: SelectionSetNode, sent: readonly Sent[]): boolean {
    return selections.every((selection) => {
      if (selection.kind === Kind.FIELD) {
        return selection.name.value === '__typename' || this.hasField(objects, selection, sent);
      }
      const condition =
        selection.kind === Kind.INLINE_FRAGMENT ? selection.typeCondition?.name.value : undefined;
      const applies = condition === undefined || satisfies(this.model, objects.cls, condition);
      return (
        !applies ||
        selection.kind !== Kind.INLINE_FRAGMENT ||
        this.hasSet(objects, selection.selectionSet, sent)
      );
    });
  }

  private hasField({ known, cls }: Objects, node: FieldNode, sent: readonly Sent[]): boolean {
    const meaning = meaningOf(node.name.value, argumentsText(node.arguments));
    return sent.some(({ key, name, below }) => {
      const values = name === node.name.value ? known.find(cls, key, this.hidden) : [];
      return values.some(
        (value) => value.meaning === meaning && this.hasBelow(value.below, node.selectionSet, below),
      );
    });
  }

  private hasBelow(
    known: Knowledge | null,
    set: SelectionSetNode | undefined,
    below: readonly RequiresSelection[],
  ): boolean {
    if (set === undefined || known === null) {
      return set === undefined;
    }
    return known.possible.every((cls) =>
      this.runtimeTypes({ known, cls }).every((type) =>
        this.hasSet({ known, cls: type }, set, this.sentOf(below, type) ?? []),
      ),
    );
  }
}

function operationOf(document: string): OperationDefinitionNode {
  const [operation] = parse(document, { noLocation: true }).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) {
    throw new WrongPlan(`Not an operation: ${document}`);
  }
  return operation;
}
