import type { Alternatives, Condition } from '../conditions.ts';
import { alternativesText } from './conditions.ts';
import type { Entrance, FieldSet, Place } from './model.ts';
import type { Spot } from './ways.ts';

/** When something is needed: it collects the reasons of all that need it. */
export class Reasons {
  private readonly lists = new Map<string, readonly Condition[]>();

  get anyOf(): Alternatives {
    return this.lists.has('') ? [[]] : [...this.lists.values()];
  }

  /** Returns whether a reason is new. */
  add(anyOf: Alternatives): boolean {
    if (this.lists.has('')) {
      return false;
    }
    let isNew = false;
    for (const conditions of anyOf) {
      const text = alternativesText([conditions]);
      isNew ||= !this.lists.has(text);
      this.lists.set(text, conditions);
    }
    return isNew;
  }
}

/** A field in the document of a fetch. */
export interface FieldSelection {
  readonly key: string;
  readonly field: string;
  readonly args: string;
  readonly variables: readonly string[];
  readonly place: Place;
  readonly reasons: Reasons;
  /** `null` for a leaf. */
  readonly site: Site | null;
  /** The key in the document where it must not be `key`, because of another field of another type there. */
  alias: string | null;
}

/** What a fetch selects of objects, by their classes. */
export interface Selection {
  /** The type of the objects in the subgraph; `null` for entities, whose types are their classes. */
  readonly type: string | null;
  readonly subgraph: string;
  readonly classes: readonly string[];
  readonly fields: Map<string, Map<string, FieldSelection>>;
  /** Whether `__typename` is selected. */
  typename: boolean;
}

/** A reference by which a fetch finds objects of a class. */
export interface Reference {
  readonly entrance: Entrance;
  readonly requires: FieldSet | null;
}

/** A fetch, or a part of one: what one subgraph answers for the objects at one site. */
export interface Group {
  readonly id: number;
  readonly subgraph: string;
  /** The objects that it adds to; the root site of the operation for root fields. */
  readonly site: Site;
  readonly selection: Selection;
  /** By class; empty for root fields. */
  readonly references: Map<string, Reference>;
  /** Fetches that must be complete before. */
  readonly needs: Set<Group>;
  readonly reasons: Reasons;
}

/** Objects at one place of the data, as one fetch returns them. */
export interface Site {
  readonly spot: Spot;
  readonly parent: {
    readonly site: Site;
    readonly selection: Selection;
    readonly key: string;
    readonly isList: boolean;
  } | null;
  readonly classes: readonly string[];
  /** What the fetch that returns the objects selects of them; `null` at the root. */
  readonly selection: Selection | null;
  readonly origin: Group | null;
  /** The site of the same objects as interface objects, where this is the one that knows their types. */
  readonly refines: Site | null;
  /** Further fetches for the same objects, by what tells them apart. */
  readonly groups: Map<string, Group>;
  readonly refined: Map<string, Site>;
  /** Wants that were placed here, with the groups that took part. */
  readonly done: Map<string, Set<Group>>;
  /** Groups by class and reason for which their keys and requirements were placed. */
  readonly entered: Map<string, Group>;
  /** The client's want for which it was made; 0 while there is none. */
  clientWant: number;
}

/** A site at which nothing is fetched yet. */
export function createSite(
  site: Pick<Site, 'spot' | 'parent' | 'classes' | 'selection' | 'origin' | 'refines'>,
): Site {
  return {
    ...site,
    groups: new Map(),
    refined: new Map(),
    done: new Map(),
    entered: new Map(),
    clientWant: 0,
  };
}

/** A selection without fields. */
export function createSelection(
  type: string | null,
  subgraph: string,
  classes: readonly string[],
): Selection {
  return { type, subgraph, classes, fields: new Map(), typename: false };
}

/** Whether a group needs another, directly or not. */
export function needsGroup(group: Group, other: Group, seen = new Set<Group>()): boolean {
  if (group === other) {
    return true;
  }
  if (seen.has(group)) {
    return false;
  }
  seen.add(group);
  return [...group.needs].some((need) => needsGroup(need, other, seen));
}
