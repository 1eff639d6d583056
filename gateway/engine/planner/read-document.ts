import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { type ConditionValues, conditionsHold, readConditions } from '../conditions.ts';
import { type Branches, type Knowledge, WrongPlan } from './knowledge.ts';
import type { Model } from './model.ts';
import type { KeyRename } from './plan.ts';
import type { Place } from './read-model.ts';
import { argumentsText } from './response-keys.ts';
import { providedBelow } from './ways.ts';

/** The target of a part of a document. */
export interface Applying {
  readonly subgraph: string;
  readonly branches: Branches;
  readonly aliases: ReadonlyMap<string, string>;
  /** Shapes of the values at each place of the document. */
  readonly shapes: Map<string, string>;
  /** Fields whose requirements the reference has. */
  readonly isRequired: (place: Place) => boolean;
}

/** Objects of a class at a place of the data. */
export interface Objects {
  readonly known: Knowledge;
  readonly cls: string;
}

/** The key of a field in a document. */
export function keyOf(node: FieldNode): string {
  return node.alias?.value ?? node.name.value;
}

/** A field and its arguments as text. */
export function meaningOf(field: string, args: string): string {
  return args === '' ? field : `${field}(${args})`;
}

/** The keys that aliases get back, by the place of the alias. */
export function aliasesOf(renames: readonly KeyRename[] = []): Map<string, string> {
  return new Map(renames.map(({ path, to }) => [path.join('.'), to]));
}

/** Whether every object of a type is of another. */
export function satisfies(model: Model, type: string, condition: string): boolean {
  const possible = model.possibleTypes(condition);
  return (
    type === condition ||
    (model.isAbstract(condition) && model.possibleTypes(type).every((one) => possible.includes(one)))
  );
}

/** Notes what documents of fetches select of objects. */
export class DocumentReader {
  constructor(
    private readonly model: Model,
    private readonly values: ConditionValues,
  ) {}

  /**
   * Applies a selection to objects.
   *
   * @param own the class that the objects have in the subgraph
   */
  apply(
    applying: Applying,
    { selections }: SelectionSetNode,
    objects: Objects,
    provided: readonly SelectionSetNode[],
    path: string,
    own = objects.cls,
  ): void {
    for (const selection of selections) {
      const conditions = readConditions(selection.directives);
      if (
        conditions === false ||
        !conditionsHold(conditions, this.values) ||
        selection.kind === Kind.FRAGMENT_SPREAD
      ) {
        continue;
      }
      if (selection.kind === Kind.FIELD) {
        this.applyField(applying, selection, objects, provided, path, own);
      } else if (satisfies(this.model, own, selection.typeCondition?.name.value ?? own)) {
        this.apply(applying, selection.selectionSet, objects, provided, path, own);
      }
    }
  }

  private applyField(
    applying: Applying,
    node: FieldNode,
    { known, cls }: Objects,
    provided: readonly SelectionSetNode[],
    path: string,
    own: string,
  ): void {
    const { subgraph, branches } = applying;
    const field = node.name.value;
    if (field === '__typename') {
      known.note(cls, field, own === cls ? own : cls, branches, true);
      return;
    }
    const place = this.model.place(own, field, subgraph);
    const below = providedBelow(this.model, provided, own, field);
    const hasRequired = (one: Place) => one.requires === null || (path === '' && applying.isRequired(one));
    const isThere = place !== undefined && (place.isExternal ? below !== null : hasRequired(place));
    if (place === undefined || !isThere) {
      throw new WrongPlan(`${subgraph} is asked for ${own}.${field}, which it cannot resolve there.`);
    }
    const alias = path === '' ? keyOf(node) : `${path}.${keyOf(node)}`;
    this.checkShape(applying, alias, place);
    const key = applying.aliases.get(alias) ?? keyOf(node);
    const next = known.note(
      cls,
      key,
      meaningOf(field, argumentsText(node.arguments)),
      branches,
      this.model.isLeaf(place.type),
    );
    if (next === null || node.selectionSet === undefined) {
      return;
    }
    const classes = this.model.classes(place.type, subgraph);
    next.returned(classes);
    const sets = [...(place.provides === null ? [] : [place.provides.selectionSet]), ...(below ?? [])];
    for (const one of classes) {
      this.apply(
        { ...applying, isRequired: () => false },
        node.selectionSet,
        { known: next, cls: one },
        sets,
        alias,
      );
    }
  }

  /** GraphQL forbids values of different shapes under one key of a document. */
  private checkShape({ shapes, subgraph }: Applying, alias: string, { shape, type }: Place): void {
    const own = this.model.isLeaf(type) ? shape : shape.replace(type, '{}');
    const known = shapes.get(alias) ?? own;
    if (known !== own) {
      throw new WrongPlan(`${subgraph} is asked for ${known} and ${own} at ${alias}.`);
    }
    shapes.set(alias, own);
  }
}
