/** A bound of the slots that users of the same key may hold together. */
export interface Share<User> {
  readonly most: number;
  key(user: User): string;
}

/** Counts work under way in this process, so that what hangs holds up neither its neighbours nor other tenants. */
export interface Slots<User, Name extends string> {
  free(): number;
  /** Takes a slot; false when all are taken, or one of the user's shares is. */
  take(user: User): boolean;
  give(user: User): void;
  /** For each key whose share is taken, one user that holds a part of it: nothing of that key can be started. */
  saturated(share: Name): User[];
}

interface Held<User> {
  readonly user: User;
  taken: number;
}

/** @param shares bounds by name; a user has to fit into every one of them */
export function createSlots<User, Name extends string>({
  total,
  shares,
}: {
  total: number;
  shares: Readonly<Record<Name, Share<User>>>;
}): Slots<User, Name> {
  let taken = 0;
  const all = Object.values<Share<User>>(shares).map((share) => ({
    share,
    held: new Map<string, Held<User>>(),
  }));
  const byName = new Map(Object.keys(shares).map((name, index) => [name, all[index]]));

  const change = (user: User, by: 1 | -1) => {
    taken += by;
    for (const { share, held } of all) {
      count(held, share.key(user), user, by);
    }
  };
  return {
    free: () => total - taken,
    take: (user) => {
      const fits =
        taken < total && all.every(({ share, held }) => (held.get(share.key(user))?.taken ?? 0) < share.most);
      if (fits) {
        change(user, 1);
      }
      return fits;
    },
    give: (user) => change(user, -1),
    saturated: (name) => {
      const one = byName.get(name);
      return one
        ? [...one.held.values()].filter((of) => of.taken >= one.share.most).map((of) => of.user)
        : [];
    },
  };
}

function count<User>(held: Map<string, Held<User>>, key: string, user: User, by: 1 | -1): void {
  const of = held.get(key) ?? { user, taken: 0 };
  of.taken += by;
  if (of.taken === 0) {
    held.delete(key);
  } else {
    held.set(key, of);
  }
}
