import type { Alternatives, Condition } from '../conditions.ts';
import { alternativesText } from './conditions.ts';
import type { Model } from './model.ts';
import type { Entrance, FieldSet, Place } from './read-model.ts';
import { remember } from './remember.ts';
import type { Want } from './wants.ts';
import { NOTHING_PROVIDED, type Spot, type Way } from './ways.ts';

/** When something is needed: it collects the reasons of all that need it. */
export class Reasons {
  private readonly lists = new Map<string, readonly Condition[]>();

  get anyOf(): Alternatives {
    return this.lists.has('') ? [[]] : [...this.lists.values()];
  }

  add(anyOf: Alternatives): void {
    for (const conditions of this.lists.has('') ? [] : anyOf) {
      this.lists.set(alternativesText([conditions]), conditions);
    }
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

/** The selections of a fetch on objects, by their classes. */
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

/** References to objects of one class by one key, for several purposes. */
export type References = readonly [Reference, ...Reference[]];

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
  /** The selections on the objects in the fetch that returns them; `null` at the root. */
  readonly selection: Selection | null;
  readonly origin: Group | null;
  /** The site of the same objects as interface objects, where this is the one that knows their types. */
  readonly refines: Site | null;
  /** Further fetches for the same objects, by the part that differs. */
  readonly groups: Map<string, Group>;
  /** By the group that finds out their types. */
  readonly refined: Map<Group, Site>;
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

function createSelection(type: string | null, subgraph: string, classes: readonly string[]): Selection {
  return { type, subgraph, classes, fields: new Map(), typename: false };
}

/** Whether a group needs another, directly or not. */
function needsGroup(group: Group, other: Group, seen = new Set<Group>()): boolean {
  if (group === other) {
    return true;
  }
  if (seen.has(group)) {
    return false;
  }
  seen.add(group);
  return [...group.needs].some((need) => needsGroup(need, other, seen));
}

/** The groups of one plan, and the sites that they lead to. */
export class Groups {
  readonly list: Group[] = [];

  constructor(private readonly model: Model) {}

  /**
   * The group of a site with this id. Where what it needs would need it, there is another.
   *
   * @param type the type of its objects; `null` for entities of several classes
   */
  groupFor(site: Site, id: string, subgraph: string, needs: ReadonlySet<Group>, type: string | null): Group {
    const known = site.groups.get(id);
    if (known !== undefined && [...needs].some((need) => needsGroup(need, known))) {
      return this.groupFor(site, `${id} again`, subgraph, needs, type);
    }
    const classes = type === null ? site.classes : this.model.classes(type, subgraph);
    const group: Group = known ?? {
      id: this.list.length,
      subgraph,
      site,
      selection: createSelection(type, subgraph, classes),
      references: new Map(),
      needs: new Set(),
      reasons: new Reasons(),
    };
    if (known === undefined) {
      site.groups.set(id, group);
      this.list.push(group);
    }
    for (const need of needs) {
      group.needs.add(need);
    }
    return group;
  }

  /** The site of the objects that a field returns. */
  siteBelow(site: Site, selection: Selection, group: Group, want: Want, way: Way): Site {
    const { type, subgraph } = way.place;
    const classes = this.model.classes(type, subgraph);
    return createSite({
      spot: { subgraph, provided: way.provided },
      parent: { site, selection, key: want.key, isList: way.place.shape.includes('[') },
      classes,
      selection: createSelection(type, subgraph, classes),
      origin: group,
      refines: null,
    });
  }

  /** The site of interface objects whose types a group finds out. */
  refinedSite(site: Site, group: Group): Site {
    return remember(site.refined, group, () =>
      createSite({
        spot: { subgraph: group.subgraph, provided: NOTHING_PROVIDED },
        parent: site.parent,
        classes: group.selection.classes,
        selection: group.selection,
        origin: group,
        refines: site,
      }),
    );
  }
}

/** The objects below the same field of another class, where the same is wanted of both. */
export function sharedSite({ fields }: Selection, want: Want, { place, provided }: Way): Site | undefined {
  const isOwn = want.anyOf === null;
  const isFor = (site: Site) => site.clientWant === 0 || (!isOwn && site.clientWant === want.id);
  for (const byKey of fields.values()) {
    const known = byKey.get(want.key);
    const isSame =
      known?.site !== undefined &&
      known.site !== null &&
      known.place.type === place.type &&
      known.site.spot.provided.length === provided.length &&
      known.site.spot.provided.every((set, index) => set === provided[index]);
    if (isSame && known.site !== null && isFor(known.site)) {
      return known.site;
    }
  }
  return undefined;
}

/** The identity of a field whose requirements are being placed. */
export function busyId(site: Site, cls: string, field: string, place: Place): string {
  return `${cls}.${field} ${place.subgraph} ${place.owner} ${site.spot.subgraph}`;
}
