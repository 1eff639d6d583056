import type { Model } from './model.ts';
import { remember } from './remember.ts';

/** Branches of a plan in which something is fetched, the outermost first. */
export type Branches = readonly number[];

/** A value that a plan fetches for objects of a class. */
export interface Known {
  /** Its field and arguments as text. */
  readonly meaning: string;
  /** The branches that fetch it; it is there for all that come after one of them. */
  readonly branches: Branches[];
  readonly below: Knowledge | null;
}

/** Thrown when a plan does not do what it must. */
export class WrongPlan extends Error {}

/** The fields that a plan has fetched of the objects at one place, by their classes. */
export class Knowledge {
  private readonly values = new Map<string, Map<string, Known>>();
  /** Classes that an object may have, as far as all subgraphs that return the objects know. */
  private classes: ReadonlySet<string> | null = null;

  constructor(private readonly model: Model) {}

  /** Notes which classes the objects may have that a subgraph returns. */
  returned(classes: readonly string[]): void {
    const known = this.classes;
    const isIn = (cls: string, some: Iterable<string>) =>
      [...some].some((one) => one === cls || this.isBehind(cls, one));
    this.classes =
      known === null
        ? new Set(classes)
        : new Set([
            ...[...known].filter((cls) => isIn(cls, classes)),
            ...classes.filter((cls) => isIn(cls, known)),
          ]);
  }

  /** The classes that objects may have. */
  get possible(): readonly string[] {
    const classes = [...(this.classes ?? [])];
    // Where a type is known, the interface object that it is too does not count.
    return classes.filter((cls) => !classes.some((one) => one !== cls && this.isBehind(one, cls)));
  }

  /** Whether an interface object's class may be of this type. */
  isBehind(type: string, cls: string): boolean {
    return type !== cls && this.model.isInterface(cls) && this.model.possibleTypes(cls).includes(type);
  }

  /**
   * Notes a value.
   *
   * @throws WrongPlan when the key has another meaning already
   */
  note(cls: string, key: string, meaning: string, branches: Branches, isLeaf: boolean): Knowledge | null {
    const values = remember(this.values, cls, () => new Map<string, Known>());
    const known = remember(values, key, () => ({
      meaning,
      branches: [],
      below: isLeaf ? null : new Knowledge(this.model),
    }));
    if (known.meaning !== meaning) {
      throw new WrongPlan(`${cls}.${key} means ${known.meaning} and ${meaning}.`);
    }
    known.branches.push(branches);
    return known.below;
  }

  /** Values under a key for objects of a class, with those that were fetched while the type was not known. */
  find(cls: string, key: string, hidden: ReadonlySet<number>): Known[] {
    const found: Known[] = [];
    for (const [own, values] of this.values) {
      const known = values.get(key);
      const isOfClass = known !== undefined && (own === cls || this.isBehind(cls, own));
      if (isOfClass && known.branches.some((branches) => branches.every((branch) => !hidden.has(branch)))) {
        found.push(known);
      }
    }
    return found;
  }
}
