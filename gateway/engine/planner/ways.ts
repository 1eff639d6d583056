import { type FieldNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';
import type { Model } from './model.ts';
import type { Entrance, Place } from './read-model.ts';
import { remember } from './remember.ts';

/** Where an object comes from. */
export interface Spot {
  /** `null` at the root of an operation: nothing is fetched yet. */
  readonly subgraph: string | null;
  /** The fields that `@provides` adds to the subgraph's own fields there. */
  readonly provided: readonly SelectionSetNode[];
}

/** An entrance to a subgraph, and how many fetches lie between a spot and the objects there. */
export interface Entry {
  readonly entrance: Entrance;
  readonly depth: number;
}

/** A way to a field of an object. */
export interface Way {
  readonly place: Place;
  /** `null` where the object's own subgraph has the field. */
  readonly entry: Entry | null;
  /** How many fetches in sequence it takes. */
  readonly depth: number;
  /** The fields that `@provides` adds below the field. */
  readonly provided: readonly SelectionSetNode[];
}

export const NOTHING_PROVIDED: readonly SelectionSetNode[] = [];
const FAR = Number.POSITIVE_INFINITY;
/** Keys and requirements that need each other have no end. */
const DEEPEST = 12;

/** Whether a fragment applies to objects of a class. Of an interface object's class every object may be of the type. */
export function mayBe(model: Model, cls: string, condition: string): boolean {
  const possible = model.possibleTypes(condition);
  return cls === condition || model.possibleTypes(cls).some((type) => possible.includes(type));
}

/** The fields that are provided below a field of a class; `null` where the field itself is not provided. */
export function providedBelow(
  model: Model,
  provided: readonly SelectionSetNode[],
  cls: string,
  field: string,
): readonly SelectionSetNode[] | null {
  const found = provided
    .flatMap(({ selections }) => selections)
    .flatMap((selection): (readonly SelectionSetNode[])[] => {
      if (selection.kind === Kind.FIELD) {
        const below = selection.selectionSet === undefined ? [] : [selection.selectionSet];
        return selection.name.value === field ? [below] : [];
      }
      const inner = providedByFragment(model, selection, cls, field);
      return inner === null ? [] : [inner];
    });
  return found.length === 0 ? null : found.flat();
}

function providedByFragment(
  model: Model,
  selection: Exclude<SelectionNode, FieldNode>,
  cls: string,
  field: string,
): readonly SelectionSetNode[] | null {
  if (selection.kind !== Kind.INLINE_FRAGMENT) {
    return null;
  }
  const condition = selection.typeCondition?.name.value;
  return condition === undefined || mayBe(model, cls, condition)
    ? providedBelow(model, [selection.selectionSet], cls, field)
    : null;
}

/** Finds ways between subgraphs. The part that depends on the supergraph alone is computed once. */
export class Ways {
  private readonly known = new Map<string, ReadonlyMap<string, Entry>>();
  private readonly knownWays = new Map<string, readonly Way[]>();

  constructor(private readonly model: Model) {}

  /** Entrances that objects of a class can take from a spot, by subgraph and owner: for each the nearest. */
  entries(cls: string, spot: Spot, level = 0): ReadonlyMap<string, Entry> {
    const find = () => this.findEntries(cls, spot, level);
    const id = `${cls} ${spot.subgraph ?? ''}`;
    if (spot.provided.length > 0) {
      return find();
    }
    // Values deep inside of keys are cut short.
    return level === 0 ? remember(this.known, id, find) : (this.known.get(id) ?? find());
  }

  private findEntries(cls: string, spot: Spot, level: number): ReadonlyMap<string, Entry> {
    const found = new Map<string, Entry>();
    if (level > DEEPEST) {
      return found;
    }
    const entrances = this.model.entrances(cls);
    for (let changed = true; changed; ) {
      changed = false;
      for (const entrance of entrances) {
        const need =
          entrance.key === null ? 0 : this.distance(entrance.key.selectionSet, cls, spot, found, level + 1);
        const id = `${entrance.subgraph} ${entrance.owner}`;
        if (need + 1 < (found.get(id)?.depth ?? FAR)) {
          found.set(id, { entrance, depth: need + 1 });
          changed = true;
        }
      }
    }
    return found;
  }

  /** How many fetches in sequence it takes to have a field set of an object; infinite when it cannot be had. */
  private distance(
    set: SelectionSetNode,
    cls: string,
    spot: Spot,
    entries: ReadonlyMap<string, Entry>,
    level: number,
  ): number {
    let most = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD && selection.name.value !== '__typename') {
        const nearest = this.waysWith(cls, selection.name.value, spot, entries, level).map(
          (way) => way.depth + this.distanceBelow(selection.selectionSet, way, level),
        );
        most = Math.max(most, Math.min(FAR, ...nearest));
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value ?? cls;
        most = Math.max(
          most,
          this.distanceOfFragment(selection.selectionSet, condition, cls, spot, entries, level),
        );
      }
    }
    return most;
  }

  private distanceOfFragment(
    set: SelectionSetNode,
    condition: string,
    cls: string,
    spot: Spot,
    entries: ReadonlyMap<string, Entry>,
    level: number,
  ): number {
    if (!mayBe(this.model, cls, condition)) {
      return 0;
    }
    const direct = this.distance(set, cls, spot, entries, level);
    return direct === FAR && this.model.isInterface(cls)
      ? this.distanceBehind(set, condition, entries, level)
      : direct;
  }

  /** The same through a subgraph that knows the types behind an interface object. */
  private distanceBehind(
    set: SelectionSetNode,
    cls: string,
    entries: ReadonlyMap<string, Entry>,
    level: number,
  ): number {
    const found = [...entries.values()].map(({ entrance: { subgraph, owner }, depth }) => {
      const behind: Spot = { subgraph, provided: NOTHING_PROVIDED };
      return this.model.isInterfaceObject(owner, subgraph)
        ? FAR
        : depth + this.distance(set, cls, behind, this.entries(cls, behind, level + 1), level + 1);
    });
    return Math.min(FAR, ...found);
  }

  private distanceBelow(set: SelectionSetNode | undefined, { place, provided }: Way, level: number): number {
    if (set === undefined) {
      return 0;
    }
    const spot: Spot = { subgraph: place.subgraph, provided };
    const distances = this.model
      .classes(place.type, place.subgraph)
      .map((cls) => this.distance(set, cls, spot, this.entries(cls, spot, level + 1), level + 1));
    return Math.max(0, ...distances);
  }

  /** All ways to a field of objects of a class. */
  ways(cls: string, field: string, spot: Spot): readonly Way[] {
    const find = () => this.waysWith(cls, field, spot, this.entries(cls, spot), 0);
    const isCommon = spot.provided.length === 0;
    return isCommon ? remember(this.knownWays, `${cls} ${field} ${spot.subgraph ?? ''}`, find) : find();
  }

  private waysWith(
    cls: string,
    field: string,
    spot: Spot,
    entries: ReadonlyMap<string, Entry>,
    level: number,
  ): Way[] {
    if (level > DEEPEST) {
      return [];
    }
    const here = this.wayHere(cls, field, spot);
    const found: Way[] = here === null ? [] : [here];
    for (const place of this.model.places(cls, field)) {
      const entry = entries.get(`${place.subgraph} ${place.owner}`);
      if (here?.place === place || entry === undefined) {
        continue;
      }
      const need =
        place.requires === null
          ? 0
          : this.distance(place.requires.selectionSet, cls, spot, entries, level + 1) + 1;
      if (need !== FAR) {
        found.push({ place, entry, depth: Math.max(entry.depth, need), provided: setsOf(place) });
      }
    }
    return found;
  }

  /** The way in the object's own subgraph. */
  private wayHere(cls: string, field: string, spot: Spot): Way | null {
    const place = spot.subgraph === null ? undefined : this.model.place(cls, field, spot.subgraph);
    if (place === undefined) {
      return null;
    }
    const provided = providedBelow(this.model, spot.provided, cls, field);
    const isThere = place.isExternal ? provided !== null : place.requires === null;
    return isThere
      ? { place, entry: null, depth: 0, provided: [...setsOf(place), ...(provided ?? [])] }
      : null;
  }
}

function setsOf({ provides }: Place): readonly SelectionSetNode[] {
  return provides === null ? NOTHING_PROVIDED : [provides.selectionSet];
}
