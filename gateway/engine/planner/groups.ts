import type { Model } from './model.ts';
import {
  createSelection,
  createSite,
  type Group,
  needsGroup,
  Reasons,
  type Selection,
  type Site,
} from './tree.ts';
import type { Want } from './wants.ts';
import { NOTHING_PROVIDED, type Way } from './ways.ts';

/** The groups of one plan, and the sites that they lead to. */
export class Groups {
  readonly list: Group[] = [];
  private readonly model: Model;

  constructor(model: Model) {
    this.model = model;
  }

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
    const id = String(group.id);
    const refined =
      site.refined.get(id) ??
      createSite({
        spot: { subgraph: group.subgraph, provided: NOTHING_PROVIDED },
        parent: site.parent,
        classes: group.selection.classes,
        selection: group.selection,
        origin: group,
        refines: site,
      });
    site.refined.set(id, refined);
    return refined;
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
