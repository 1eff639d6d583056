import { LRUCache } from 'lru-cache';
import { isDuplicateKey, retryOnConflict } from '../../kernel/database/transaction.ts';
import { currencyOfCountry } from '../../kernel/money/iso.ts';
import { FRESH } from './fresh.ts';
import type { FxRateDocument, RouteDocument, TenantModels } from './model.ts';

/** The routes and rates that are configured for all tenants. */
export interface Corridors {
  /** The offered routes of a corridor, whatever their payout method: none while its currencies have no rate. */
  routes(corridor: Corridor): Promise<Route[]>;
  /** The offered routes between two countries, whatever their payout method and currency: those whose currencies have a rate. */
  routesBetween(countries: Pick<Corridor, 'sourceCountry' | 'destinationCountry'>): Promise<Route[]>;
  /** Whether any route begins in a country, offered or not. */
  hasRoutesFrom(sourceCountry: string): Promise<boolean>;
  /** The rate of a pair, at most 2 s old: 1 for the same currency, undefined when unknown. */
  fxRate(source: string, destination: string): Promise<CurrentRate | undefined>;
  /** All configured routes and rates, offered or not, for operators. */
  allRoutes(): Promise<Route[]>;
  allFxRates(): Promise<FxRate[]>;
  upsertRoute(route: Route): Promise<void>;
  /** Sets a rate that does not age. */
  upsertFxRate(rate: FxRate): Promise<void>;
  /** Sets a rate that does not age, unless a source of rates has set one for the pair. */
  seedFxRate(rate: FxRate): Promise<void>;
  /** Sets the rates of a source. Older ones than those that are stored change nothing. */
  refreshFxRates(rates: readonly FxRate[], times: { asOf: Date; staleAt: Date }): Promise<void>;
  /** @returns whether there was such a route */
  removeRoute(route: RouteIdentity): Promise<boolean>;
  /** @returns whether there was such a rate */
  removeFxRate(pair: Pick<FxRate, 'source' | 'destination'>): Promise<boolean>;
}

export interface Corridor {
  sourceCountry: string;
  destinationCountry: string;
  destinationCurrency: string;
}

export type Route = RouteDocument;
export type FxRate = Pick<FxRateDocument, 'source' | 'destination' | 'rate'>;

/** A rate and its age, read at once. */
export interface CurrentRate {
  /** Units of the destination's currency for one of the source's, a decimal string. */
  readonly rate: string;
  /** Its time. Absent for the same currency. */
  readonly asOf?: Date;
  /** Whether it is too old for live calls. */
  readonly isStale: boolean;
}

/** The part of a route that no other route has. */
type RouteIdentity = Pick<Route, keyof Corridor | 'payoutType'>;

interface CorridorsDeps {
  models: Pick<TenantModels, 'routes' | 'fxRates'>;
  /** Judges the age of rates. Default: the clock of the machine. */
  clock?: () => Date;
}

/** Routes and rates are the same for all tenants. */
export function createCorridors(deps: CorridorsDeps): Corridors {
  const routes = new LRUCache<string, Route[]>({
    ...FRESH,
    fetchMethod: (corridor) => deps.models.routes.find(JSON.parse(corridor)).lean(),
  });
  const { clock = () => new Date() } = deps;
  const rates = new LRUCache<string, FxRateDocument>({
    ...FRESH,
    fetchMethod: (pair) => readRate(deps, pair),
  });
  const fxRate: Corridors['fxRate'] = async (source, destination) => {
    if (source === destination) {
      return { rate: '1', isStale: false };
    }
    const found = await rates.fetch(JSON.stringify({ source, destination }));
    if (found === undefined) {
      return undefined;
    }
    const { rate, asOf, staleAt } = found;
    return { rate, asOf, isStale: staleAt !== undefined && staleAt <= clock() };
  };
  const offered = async (sourceCountry: string, found: readonly Route[] = []) => {
    const source = currencyOfCountry(sourceCountry);
    const priced = await Promise.all(
      found.map(({ destinationCurrency }) => source && fxRate(source, destinationCurrency)),
    );
    return found.filter((_, index) => priced[index] !== undefined);
  };
  return {
    routes: async ({ sourceCountry, destinationCountry, destinationCurrency }) => {
      const corridor = { sourceCountry, destinationCountry, destinationCurrency };
      return offered(sourceCountry, await routes.fetch(JSON.stringify(corridor)));
    },
    routesBetween: async ({ sourceCountry, destinationCountry }) =>
      offered(sourceCountry, await routes.fetch(JSON.stringify({ sourceCountry, destinationCountry }))),
    hasRoutesFrom: async (sourceCountry) =>
      ((await routes.fetch(JSON.stringify({ sourceCountry }))) ?? []).length > 0,
    fxRate,
    allRoutes: () => readRoutes(deps),
    allFxRates: () => readFxRates(deps),
    upsertRoute: async (route) => {
      const { states, minAmount, maxAmount, payerCode, ...identity } = route;
      await retryOnConflict(() => deps.models.routes.replaceOne(identity, route, { upsert: true }).exec());
      routes.clear();
    },
    upsertFxRate: async (rate) => {
      await retryOnConflict(() => setRate(deps, rate, clock()));
      rates.clear();
    },
    seedFxRate: async (rate) => {
      await retryOnConflict(() => seedRate(deps, rate, clock()));
      rates.clear();
    },
    refreshFxRates: async (refreshed, times) => {
      for (const rate of refreshed) {
        await refreshRate(deps, rate, times);
      }
      rates.clear();
    },
    removeRoute: async ({ sourceCountry, destinationCountry, destinationCurrency, payoutType }) => {
      const identity = { sourceCountry, destinationCountry, destinationCurrency, payoutType };
      const { deletedCount } = await retryOnConflict(() => deps.models.routes.deleteOne(identity).exec());
      routes.clear();
      return deletedCount > 0;
    },
    removeFxRate: async ({ source, destination }) => {
      const pair = { source, destination };
      const { deletedCount } = await retryOnConflict(() => deps.models.fxRates.deleteOne(pair).exec());
      rates.clear();
      return deletedCount > 0;
    },
  };
}

function readRoutes({ models }: CorridorsDeps): Promise<Route[]> {
  return models.routes
    .find()
    .sort({ sourceCountry: 1, destinationCountry: 1, destinationCurrency: 1, payoutType: 1 })
    .select({ _id: 0 })
    .lean();
}

function readFxRates({ models }: CorridorsDeps): Promise<FxRate[]> {
  return models.fxRates
    .find()
    .sort({ source: 1, destination: 1 })
    .select({ _id: 0, asOf: 0, staleAt: 0 })
    .lean();
}

async function readRate({ models }: CorridorsDeps, pair: string): Promise<FxRateDocument | undefined> {
  return (await models.fxRates.findOne(JSON.parse(pair)).lean()) ?? undefined;
}

/** @param only further conditions on the stored rate. If it does not meet them, the write fails with a duplicate key */
function setRate(
  { models }: CorridorsDeps,
  { source, destination, rate }: FxRate,
  asOf: Date,
  only: { staleAt?: { $exists: false } } = {},
) {
  const update = { $set: { rate, asOf }, $unset: { staleAt: 1 } } as const;
  return models.fxRates.updateOne({ source, destination, ...only }, update, { upsert: true }).exec();
}

/** Another process may refresh meanwhile: then the write fails with a duplicate key, and a repetition finds the rate of the source. */
async function seedRate(deps: CorridorsDeps, rate: FxRate, asOf: Date): Promise<void> {
  const { source, destination } = rate;
  const { fxRates } = deps.models;
  if ((await fxRates.exists({ source, destination, staleAt: { $exists: true } })) === null) {
    await setRate(deps, rate, asOf, { staleAt: { $exists: false } });
  }
}

/** Two processes may refresh at once: the newer rate stays. */
async function refreshRate(
  { models }: CorridorsDeps,
  { source, destination, rate }: FxRate,
  times: { asOf: Date; staleAt: Date },
): Promise<void> {
  const pair = { source, destination };
  const isOlder = { $or: [{ staleAt: { $exists: false } }, { asOf: { $lt: times.asOf } }] };
  const update = { $set: { rate, ...times } };
  try {
    await models.fxRates.updateOne({ ...pair, ...isOlder }, update, { upsert: true }).exec();
  } catch (error) {
    if (!isDuplicateKey(error)) {
      throw error;
    }
    // The stored rate is as new, or another process has just set an older one for a pair that had none.
    await models.fxRates.updateOne({ ...pair, ...isOlder }, update).exec();
  }
}
