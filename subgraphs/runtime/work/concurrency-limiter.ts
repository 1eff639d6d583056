/** A limit on items with the same key that run at once. */
interface Quota<Item> {
  /** The limit for an item, when it changes with time or differs between items. */
  readonly most: number | ((item: Item) => number);
  key(item: Item): string;
}

/** Limits the running work of this process, so that hanging work holds up neither its neighbours nor other tenants. */
export interface ConcurrencyLimiter<Item extends object, Name extends string> {
  /** How many more may begin, quotas aside. */
  free(): number;
  /** Lets an item begin; false when everything, or one of the item's quotas, is used up. */
  acquire(item: Item): boolean;
  /**
   * An item that has begun no longer counts by one of its quotas, but still by all others until its {@link release}: release
   * the same object.
   */
  leave(item: Item, quota: Name): void;
  /** An item that was let begin is over. */
  release(item: Item): void;
  /** How many more items like this one may begin by one of its quotas; 0 or less for none. */
  room(item: Item, quota: Name): number;
  /** For each key with a used-up quota, one of its items: no item with that key can begin. */
  atQuota(quota: Name): Item[];
}

interface Usage<Item> {
  readonly item: Item;
  count: number;
}

/** @param quotas limits by name; an item must fit into every one of them */
export function createConcurrencyLimiter<Item extends object, Name extends string>({
  total,
  quotas,
}: {
  total: number;
  quotas: Readonly<Record<Name, Quota<Item>>>;
}): ConcurrencyLimiter<Item, Name> {
  let taken = 0;
  const all = Object.values<Quota<Item>>(quotas).map((quota) => ({
    quota,
    usages: new Map<string, Usage<Item>>(),
    left: new WeakSet<Item>(),
  }));
  const byName = new Map(Object.keys(quotas).map((name, index) => [name, all[index]]));

  const change = (item: Item, by: 1 | -1) => {
    taken += by;
    for (const { quota, usages, left } of all) {
      if (!left.delete(item)) {
        count(usages, quota.key(item), item, by);
      }
    }
  };
  return {
    free: () => total - taken,
    acquire: (item) => {
      const fits =
        taken < total &&
        all.every(({ quota, usages }) => (usages.get(quota.key(item))?.count ?? 0) < mostFor(quota, item));
      if (fits) {
        change(item, 1);
      }
      return fits;
    },
    leave: (item, name) => {
      const one = byName.get(name);
      if (one && !one.left.has(item)) {
        one.left.add(item);
        count(one.usages, one.quota.key(item), item, -1);
      }
    },
    release: (item) => change(item, -1),
    room: (item, name) => {
      const one = byName.get(name);
      return one ? mostFor(one.quota, item) - (one.usages.get(one.quota.key(item))?.count ?? 0) : 0;
    },
    atQuota: (name) => {
      const one = byName.get(name);
      return one
        ? [...one.usages.values()]
            .filter((usage) => usage.count >= mostFor(one.quota, usage.item))
            .map(({ item }) => item)
        : [];
    },
  };
}

function mostFor<Item>({ most }: Quota<Item>, item: Item): number {
  return typeof most === 'number' ? most : most(item);
}

function count<Item>(usages: Map<string, Usage<Item>>, key: string, item: Item, by: 1 | -1): void {
  const usage = usages.get(key) ?? { item, count: 0 };
  usage.count += by;
  if (usage.count === 0) {
    usages.delete(key);
  } else {
    usages.set(key, usage);
  }
}
