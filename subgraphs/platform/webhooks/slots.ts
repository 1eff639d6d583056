/** Who takes a slot. */
export interface SlotUser {
  readonly tenantId: string;
  readonly endpoint: string;
  readonly shard: number;
}

/** How many attempts run at once in this process. */
export interface SlotBounds {
  readonly total: number;
  readonly perEndpoint: number;
  readonly perTenant: number;
}

/** Counts running attempts, so that a receiver that hangs holds up neither other receivers nor other tenants. */
export interface Slots {
  free(): number;
  /** Takes a slot; false when all are taken, or the user's endpoint or tenant has its share. */
  take(user: SlotUser): boolean;
  give(user: SlotUser): void;
  /** Endpoints of the shard, and tenants, that have their share: nothing of theirs can be started. */
  saturated(shard: number): { endpoints: string[]; tenants: string[] };
}

export function createSlots({ total, perEndpoint, perTenant }: SlotBounds): Slots {
  let taken = 0;
  const endpoints = new Map<string, { shard: number; taken: number }>();
  const tenants = new Map<string, number>();

  const change = ({ tenantId, endpoint, shard }: SlotUser, by: 1 | -1) => {
    taken += by;
    const ofEndpoint = (endpoints.get(endpoint)?.taken ?? 0) + by;
    const ofTenant = (tenants.get(tenantId) ?? 0) + by;
    if (ofEndpoint === 0) {
      endpoints.delete(endpoint);
    } else {
      endpoints.set(endpoint, { shard, taken: ofEndpoint });
    }
    if (ofTenant === 0) {
      tenants.delete(tenantId);
    } else {
      tenants.set(tenantId, ofTenant);
    }
  };

  return {
    free: () => total - taken,
    take: (user) => {
      const fits =
        taken < total &&
        (endpoints.get(user.endpoint)?.taken ?? 0) < perEndpoint &&
        (tenants.get(user.tenantId) ?? 0) < perTenant;
      if (fits) {
        change(user, 1);
      }
      return fits;
    },
    give: (user) => change(user, -1),
    saturated: (shard) => ({
      endpoints: [...endpoints]
        .filter(([, of]) => of.shard === shard && of.taken >= perEndpoint)
        .map(([endpoint]) => endpoint),
      tenants: [...tenants].filter(([, of]) => of >= perTenant).map(([tenantId]) => tenantId),
    }),
  };
}
