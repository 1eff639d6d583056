import { Kind } from 'graphql';
import type { Alternatives } from '../conditions.ts';
import { alternativesText } from './conditions.ts';
import { compareEstimates, type Estimator, isHarmless, isOfAll, type Offer, wantsOf } from './estimate.ts';
import type { Model } from './model.ts';
import type { OwnWants } from './own-wants.ts';
import type { FieldSet } from './read-model.ts';
import { remember } from './remember.ts';
import {
  busyId,
  createSite,
  type FieldSelection,
  type Group,
  Groups,
  Reasons,
  type Selection,
  type Site,
  sharedSite,
} from './tree.ts';
import type { Below, Want } from './wants.ts';
import { type Entry, NOTHING_PROVIDED, type Spot, type Way, type Ways } from './ways.ts';

/** Thrown when the supergraph has no way to a field. Composition accepts such supergraphs only for mutations. */
class Unplannable extends Error {}

/** The entry for objects of a class: a want, when, and where to note the groups that take part. */
interface Placing {
  readonly cls: string;
  readonly want: Want;
  readonly anyOf: Alternatives;
  readonly groups: Set<Group>;
}

interface BuilderDeps {
  readonly model: Model;
  readonly ways: Ways;
  readonly estimator: Estimator;
  readonly ownWants: OwnWants;
  /** Counts work, and throws when there is too much of it. */
  spend(): void;
}

/** Places wants in fetches. */
export class Builder {
  private readonly made: Groups;
  private readonly deps: BuilderDeps;
  /** Fields whose requirements are being placed; they are no way to these requirements. */
  private readonly busy = new Set<string>();

  constructor(deps: BuilderDeps) {
    this.deps = deps;
    this.made = new Groups(deps.model);
  }

  /** The groups that were made. */
  get groups(): readonly Group[] {
    return this.made.list;
  }

  /** Places root fields. */
  build(rootType: string, wants: readonly Want[]): void {
    const root = createSite({
      spot: { subgraph: null, provided: NOTHING_PROVIDED },
      parent: null,
      classes: [rootType],
      selection: null,
      origin: null,
      refines: null,
    });
    this.placeAll(root, { byType: new Map([[rootType, wants]]), namesType: false }, [[]], new Set());
  }

  /** Places all that is wanted of the objects of a site. */
  private placeAll(site: Site, below: Below, anyOf: Alternatives, groups: Set<Group>): void {
    const { model, ways } = this.deps;
    const placings: Placing[] = [];
    for (const cls of site.classes) {
      if (model.isInterface(cls)) {
        this.placeBehind(site, cls, below, anyOf, groups);
      } else {
        for (const want of wantsOf(model, below, cls)) {
          placings.push({ cls, want, anyOf: want.anyOf ?? anyOf, groups });
        }
      }
    }
    // Fields with a choice come last: they join the fetches of the others where they can.
    const hasChoice = ({ cls, want }: Placing) => ways.ways(cls, want.field, site.spot).length > 1;
    for (const placing of [...placings.filter((one) => !hasChoice(one)), ...placings.filter(hasChoice)]) {
      this.place(site, placing);
    }
  }

  /** Of an interface object: what it has itself, and the rest where the types behind it are known. */
  private placeBehind(site: Site, cls: string, below: Below, anyOf: Alternatives, groups: Set<Group>): void {
    const { model, ways } = this.deps;
    const types = model.possibleTypes(cls).filter((type) => below.byType.has(type));
    const wants = wantsOf(model, below, cls);
    const direct = new Set(
      wants.filter((want) => {
        const found = ways
          .ways(cls, want.field, site.spot)
          .filter(({ place }) => model.isInterfaceObject(place.owner, place.subgraph));
        return found.length > 0 && (isOfAll(below, types, want) || isHarmless(wants, want, found));
      }),
    );
    for (const want of direct) {
      this.place(site, { cls, want, anyOf: want.anyOf ?? anyOf, groups });
    }
    const rest = wants.filter((want) => !direct.has(want));
    const isAlike = types.every((type) => below.byType.get(type)?.length === wants.length);
    const isOwn = wants.length > 0 && wants.every((want) => want.anyOf === null);
    if (rest.length > 0 || (!isOwn && (below.namesType || !isAlike))) {
      const refined = this.refine(site, { cls, anyOf, groups }, rest);
      const byType = [...below.byType].map(
        ([type, some]) => [type, some.filter((want) => !direct.has(want))] as const,
      );
      this.placeAll(refined, { ...below, byType: new Map(byType) }, anyOf, groups);
    }
  }

  /** Places one want for objects of a class. */
  private place(site: Site, placing: Placing): void {
    this.deps.spend();
    const { cls, want } = placing;
    const offers = this.offersFor(site, cls, want);
    if (offers.length === 0 && this.deps.model.isInterface(cls)) {
      this.placeRefined(this.refine(site, placing, [want]), placing);
    } else {
      this.placeBy(site, placing, offers);
    }
  }

  private placeRefined(refined: Site, placing: Placing): void {
    for (const cls of refined.classes) {
      this.place(refined, { ...placing, cls });
    }
  }

  private offersFor(site: Site, cls: string, want: Want): Offer[] {
    const { estimator, ways } = this.deps;
    const isFree = ({ place }: Way) =>
      this.busy.size === 0 || !this.busy.has(busyId(site, cls, want.field, place));
    const found = ways.ways(cls, want.field, site.spot).filter(isFree);
    if (found.length <= 1) {
      return found.map((way) => ({ way, missing: 0, unknownTypes: 0, depth: way.depth, fetches: 0 }));
    }
    const isNew = ({ way }: Offer) => Number(way.entry !== null && !site.groups.has(this.groupId(way)));
    // A leaf that nothing waits for joins a fetch that is made anyway.
    const canWait = want.below === null && want.anyOf !== null;
    const weigh = (one: Offer, other: Offer) =>
      (canWait && one.missing + other.missing === 0 ? isNew(one) - isNew(other) : 0) ||
      compareEstimates(one, other) ||
      isNew(one) - isNew(other);
    return estimator
      .offers(want, cls, site.spot)
      .filter(({ way }) => isFree(way))
      .sort(weigh);
  }

  /** Places a want by the best offer, and what that cannot give by the next. */
  private placeBy(site: Site, placing: Placing, offers: readonly Offer[]): void {
    const [offer, ...others] = offers;
    const { cls, want } = placing;
    if (offer === undefined) {
      throw new Unplannable(`No way leads from ${site.spot.subgraph ?? 'the root'} to ${cls}.${want.field}.`);
    }
    if (offer.missing === 0) {
      this.placeOn(site, placing, offer.way);
      return;
    }
    const { had, rest } = this.deps.estimator.split(want, offer.way.place, offer.way.provided);
    if (rest !== null && this.deps.model.isRoot(cls) && cls !== 'Query') {
      throw new Unplannable(`${cls}.${want.field} would have to run in several subgraphs.`);
    }
    if (had !== null) {
      this.placeOn(site, { ...placing, want: had }, offer.way);
    }
    if (rest !== null) {
      const isLeft = ({ way }: Offer) => others.some((other) => other.way.place === way.place);
      const left = others.length === 0 ? [] : this.deps.estimator.offers(rest, cls, site.spot).filter(isLeft);
      this.placeBy(site, { ...placing, want: rest }, left);
    }
  }

  private placeOn(site: Site, placing: Placing, way: Way): void {
    if (way.entry === null) {
      if (site.selection === null || site.origin === null) {
        throw new Unplannable(`${placing.want.field} has no subgraph.`);
      }
      this.select(site, site.selection, site.origin, placing, way);
    } else if (this.isRefinement(way.entry)) {
      this.placeRefined(this.refineBy(site, placing, way.entry), placing);
    } else {
      const group = this.enter(site, placing, way, way.entry);
      this.select(site, group.selection, group, placing, way);
    }
  }

  private isRefinement({ entrance: { owner, subgraph } }: Entry): boolean {
    return this.deps.model.isInterface(owner) && !this.deps.model.isInterfaceObject(owner, subgraph);
  }

  /** Adds a field to the document of a group, and places what is wanted below it. */
  private select(site: Site, selection: Selection, group: Group, placing: Placing, way: Way): void {
    const { cls, want, anyOf, groups } = placing;
    groups.add(group);
    group.reasons.add(anyOf);
    const fields = remember(selection.fields, cls, () => new Map<string, FieldSelection>());
    const selected = remember(fields, want.key, () => ({
      key: want.key,
      field: want.field,
      args: want.args,
      variables: want.variables,
      place: way.place,
      reasons: new Reasons(),
      site:
        want.below === null
          ? null
          : (sharedSite(selection, want, way) ?? this.made.siteBelow(site, selection, group, want, way)),
      alias: null,
    }));
    selected.reasons.add(anyOf);
    if (selected.site !== null) {
      this.placeBelow(selected.site, want, anyOf, groups);
    }
  }

  private placeBelow(site: Site, want: Want, anyOf: Alternatives, groups: Set<Group>): void {
    if (want.below === null || site.selection === null) {
      return;
    }
    const isOwn = want.anyOf === null;
    site.clientWant = isOwn ? site.clientWant : want.id;
    site.selection.typename ||= want.below.namesType;
    const id = isOwn ? `${want.id} ${alternativesText(anyOf)}` : `${want.id}`;
    let placed = site.done.get(id);
    if (placed === undefined) {
      placed = new Set();
      site.done.set(id, placed);
      this.placeAll(site, want.below, anyOf, placed);
    }
    for (const group of placed) {
      groups.add(group);
    }
  }

  /** The group of a subgraph for the objects of a site; it gets the key and the requirements of the class. */
  private enter(site: Site, { cls, want, anyOf }: Placing, way: Way, { entrance }: Entry): Group {
    const { requires } = way.place;
    const id = `${this.groupId(way)} ${cls} ${alternativesText(anyOf)}`;
    const entered = site.entered.get(id);
    if (entered !== undefined) {
      return entered;
    }
    const needs = new Set<Group>(site.origin === null ? [] : [site.origin]);
    this.own(site, { cls, anyOf, groups: needs }, entrance.key);
    const busy = busyId(site, cls, want.field, way.place);
    this.busy.add(busy);
    this.own(site, { cls, anyOf, groups: needs }, requires);
    this.busy.delete(busy);
    const type = entrance.key === null ? entrance.owner : null;
    const group = this.made.groupFor(site, this.groupId(way), entrance.subgraph, needs, type);
    if (entrance.key !== null) {
      group.references.set(cls, { entrance, requires });
      this.nameTypes(site);
    }
    site.entered.set(id, group);
    return group;
  }

  /** Places a field set that the plan needs of objects of a class. */
  private own(site: Site, placing: Omit<Placing, 'want'>, set: FieldSet | null): void {
    if (set === null) {
      return;
    }
    const { cls } = placing;
    const isByType = set.selectionSet.selections.some(({ kind }) => kind === Kind.INLINE_FRAGMENT);
    if (isByType && this.deps.model.isInterface(cls)) {
      const refined = this.refine(site, placing, []);
      for (const type of refined.classes) {
        this.own(refined, { ...placing, cls: type }, set);
      }
      return;
    }
    for (const want of this.deps.ownWants.read(cls, set)) {
      this.place(site, { ...placing, want });
    }
  }

  private nameTypes({ selection }: Site): void {
    if (selection !== null) {
      selection.typename = true;
    }
  }

  /** A fetch that finds out the types of an interface object, from the subgraph that has the most of what is wanted. */
  private refine(site: Site, placing: Omit<Placing, 'want'>, wants: readonly Want[]): Site {
    const { ways, estimator, model } = this.deps;
    const entries = [...ways.entries(placing.cls, site.spot).values()].filter((entry) =>
      this.isRefinement(entry),
    );
    const costOf = ({ entrance: { subgraph } }: Entry): number => {
      const spot: Spot = { subgraph, provided: NOTHING_PROVIDED };
      return model
        .classes(placing.cls, subgraph)
        .flatMap((type) => wants.map((want) => estimator.offers(want, type, spot)[0]?.fetches ?? 0))
        .reduce((sum, one) => sum + one, 0);
    };
    const ranked = entries.map((entry) => ({ entry, cost: entries.length === 1 ? 0 : costOf(entry) }));
    const [best] = ranked.sort((one, other) => one.entry.depth - other.entry.depth || one.cost - other.cost);
    if (best === undefined) {
      throw new Unplannable(`No subgraph knows the types behind ${placing.cls} of ${site.spot.subgraph}.`);
    }
    return this.refineBy(site, placing, best.entry);
  }

  private refineBy(site: Site, placing: Omit<Placing, 'want'>, { entrance }: Entry): Site {
    const { cls, anyOf, groups } = placing;
    const needs = new Set<Group>(site.origin === null ? [] : [site.origin]);
    this.own(site, { cls, anyOf, groups: needs }, entrance.key);
    const group = this.made.groupFor(
      site,
      `${entrance.subgraph} types of ${cls}`,
      entrance.subgraph,
      needs,
      cls,
    );
    group.references.set(cls, { entrance, requires: null });
    group.reasons.add(anyOf);
    group.selection.typename = true;
    groups.add(group);
    this.nameTypes(site);
    return this.made.refinedSite(site, group);
  }

  private groupId({ place, entry }: Way): string {
    const isShared = this.deps.model.isInterfaceObject(place.owner, place.subgraph);
    return `${entry?.entrance.subgraph} ${isShared ? place.owner : ''} ${place.requires?.text ?? ''}`;
  }
}
