import type { Model } from './model.ts';
import type { Place } from './read-model.ts';
import { remember } from './remember.ts';
import { type Below, nextWantId, type Want } from './wants.ts';
import { NOTHING_PROVIDED, type Spot, type Way, type Ways } from './ways.ts';

/** The cost of fetching something, seen from a spot. Compared in the order of these fields. */
interface Estimate {
  /** Fields that cannot be had on this way at all. */
  readonly missing: number;
  /** Object types of which the subgraph knows nothing, and of which something of their own is wanted. */
  readonly unknownTypes: number;
  /** Fetches in sequence. */
  readonly depth: number;
  /** Fetches. */
  readonly fetches: number;
}

/** A way with what it takes to fetch what is wanted below it. */
export interface Offer extends Estimate {
  readonly way: Way;
}

const NOTHING: Estimate = { missing: 0, unknownTypes: 0, depth: 0, fetches: 0 };
const UNREACHABLE: Estimate = { missing: 1, unknownTypes: 0, depth: 0, fetches: 0 };

/** Negative when the first is cheaper. */
export function compareEstimates(one: Estimate, other: Estimate): number {
  return (
    one.missing - other.missing ||
    one.unknownTypes - other.unknownTypes ||
    one.depth - other.depth ||
    one.fetches - other.fetches
  );
}

/** The selections on objects of a class: for an interface object's class, the selections on any type behind it. */
export function wantsOf(model: Model, { byType }: Below, cls: string): readonly Want[] {
  const own = byType.get(cls);
  if (own !== undefined || !model.isInterface(cls)) {
    return own ?? [];
  }
  return [...new Set(model.possibleTypes(cls).flatMap((type) => byType.get(type) ?? []))];
}

/** Estimates ways for one operation. It is only asked where there are several. */
export class Estimator {
  private readonly known = new Map<string, Estimate>();
  private readonly splits = new Map<string, Split>();
  /** The types that a subgraph knows behind one that it returns. */
  private readonly knownTypes = new Map<string, ReadonlySet<string>>();
  private readonly model: Model;
  private readonly ways: Ways;
  private readonly spend: () => void;

  /** @param spend counts work, and throws when there is too much of it */
  constructor(model: Model, ways: Ways, spend: () => void) {
    this.model = model;
    this.ways = ways;
    this.spend = spend;
  }

  /** The ways to a field with their estimates, the cheapest first. */
  offers(want: Want, cls: string, spot: Spot): Offer[] {
    return this.ways
      .ways(cls, want.field, spot)
      .map((way) => this.offer(want, way))
      .sort(compareEstimates);
  }

  private offer(want: Want, way: Way): Offer {
    const { missing, unknownTypes, depth, fetches } = this.below(want.below, way);
    const hop = way.entry === null ? 0 : 1;
    return { way, missing, unknownTypes, depth: way.depth + depth, fetches: hop + fetches };
  }

  private best(want: Want, cls: string, spot: Spot): Estimate {
    const find = () => {
      this.spend();
      return this.cheapest(want, cls, spot) ?? this.behind(want, cls, spot);
    };
    const isCommon = spot.provided.length === 0;
    return isCommon ? remember(this.known, `${want.id} ${cls} ${spot.subgraph}`, find) : find();
  }

  private cheapest(want: Want, cls: string, spot: Spot): Estimate | undefined {
    let best: Estimate | undefined;
    for (const way of this.ways.ways(cls, want.field, spot)) {
      const offer = this.offer(want, way);
      best = best === undefined || compareEstimates(offer, best) < 0 ? offer : best;
    }
    return best;
  }

  /** Through a subgraph that knows the types behind an interface object. */
  private behind(want: Want, cls: string, spot: Spot): Estimate {
    if (!this.model.isInterface(cls)) {
      return UNREACHABLE;
    }
    const types = this.model.possibleTypes(cls);
    const found = [...this.ways.entries(cls, spot).values()].flatMap(
      ({ entrance: { subgraph, owner }, depth }) => {
        if (this.model.isInterfaceObject(owner, subgraph)) {
          return [];
        }
        const behind: Spot = { subgraph, provided: NOTHING_PROVIDED };
        const inner = types
          .filter((type) => this.ways.ways(type, want.field, behind).length > 0)
          .map((type) => this.best(want, type, behind));
        const [first] = inner.sort(compareEstimates);
        return first === undefined
          ? []
          : [{ ...first, depth: first.depth + depth, fetches: first.fetches + 1 }];
      },
    );
    return found.sort(compareEstimates)[0] ?? UNREACHABLE;
  }

  private below(below: Below | null, { place, provided }: Way): Estimate {
    if (below === null) {
      return NOTHING;
    }
    const classes = this.model.classes(place.type, place.subgraph);
    const spot: Spot = { subgraph: place.subgraph, provided };
    let { missing, depth } = NOTHING;
    let fetches = 0;
    for (const cls of classes) {
      for (const want of wantsOf(this.model, below, cls)) {
        const best = this.best(want, cls, spot);
        missing += best.missing;
        depth = Math.max(depth, best.depth);
        fetches += best.fetches;
      }
    }
    return { missing, unknownTypes: this.unknownTypes(below, place), depth, fetches };
  }

  private unknownTypes({ byType }: Below, { type, subgraph }: Place): number {
    const known = remember(this.knownTypes, `${type} ${subgraph}`, () => {
      const classes = this.model.classes(type, subgraph);
      return new Set(classes.flatMap((cls) => [cls, ...this.model.possibleTypes(cls)]));
    });
    const unknown = [...byType.keys()].filter((one) => !known.has(one));
    if (unknown.length === 0) {
      return 0;
    }
    const wanted = new Set([...known].flatMap((one) => byType.get(one) ?? []));
    return unknown.filter((one) => byType.get(one)?.some((want) => !wanted.has(want)) === true).length;
  }

  /** Divides a want into the part that can be had on a way and the rest. */
  split(want: Want, place: Place, provided: Way['provided']): Split {
    const id = `${want.id} ${place.subgraph} ${place.type} ${provided.length}`;
    return remember(this.splits, id, () => this.divide(want, place, provided));
  }

  private divide(want: Want, place: Place, provided: Way['provided']): Split {
    if (want.below === null) {
      return { had: want, rest: null };
    }
    const spot: Spot = { subgraph: place.subgraph, provided };
    const classes = this.model.classes(place.type, place.subgraph);
    const had = new Map<string, readonly Want[]>();
    const rest = new Map<string, readonly Want[]>();
    for (const [type, wants] of want.below.byType) {
      const cls = classes.find((one) => this.model.possibleTypes(one).includes(type));
      const split = wants.map((one) =>
        cls === undefined ? { had: one, rest: null } : this.divideOf(one, cls, spot),
      );
      had.set(
        type,
        split.flatMap((one) => one.had ?? []),
      );
      rest.set(
        type,
        split.flatMap((one) => one.rest ?? []),
      );
    }
    return { had: part(want, had), rest: part(want, rest) };
  }

  private divideOf(want: Want, cls: string, spot: Spot): Split {
    if (this.best(want, cls, spot).missing === 0) {
      return { had: want, rest: null };
    }
    const [offer] = this.offers(want, cls, spot);
    return offer === undefined
      ? { had: null, rest: want }
      : this.split(want, offer.way.place, offer.way.provided);
  }
}

/** A part of a want; `null` when nothing is left of it. */
function part(want: Want, byType: ReadonlyMap<string, readonly Want[]>): Want | null {
  const isEmpty = [...byType.values()].every((wants) => wants.length === 0);
  return isEmpty || want.below === null
    ? null
    : { ...want, id: nextWantId(), below: { ...want.below, byType } };
}

/** A want in two parts; `null` where there is nothing in one. */
interface Split {
  readonly had: Want | null;
  readonly rest: Want | null;
}

/** Whether all of some types want the same. */
export function isOfAll({ byType }: Below, types: readonly string[], want: Want): boolean {
  return types.every((type) => byType.get(type)?.includes(want) === true);
}

/** Whether a field may be fetched for types of which it is not wanted: its failure takes nothing else with it. */
export function isHarmless(wants: readonly Want[], want: Want, ways: readonly Way[]): boolean {
  return (
    wants.every((other) => other === want || other.key !== want.key) &&
    ways.every(({ place }) => !place.shape.endsWith('!'))
  );
}
