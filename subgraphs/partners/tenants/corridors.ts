import { LRUCache } from 'lru-cache';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
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
  /** Units of `destination` for one of `source`, a decimal string; `1` for the same currency, undefined when unknown. */
  fxRate(source: string, destination: string): Promise<string | undefined>;
  /** All configured routes and rates, offered or not, for operators. */
  allRoutes(): Promise<Route[]>;
  allFxRates(): Promise<FxRate[]>;
  upsertRoute(route: Route): Promise<void>;
  upsertFxRate(rate: FxRate): Promise<void>;
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
export type FxRate = FxRateDocument;
/** The part of a route that no other route has. */
type RouteIdentity = Pick<Route, keyof Corridor | 'payoutType'>;

interface CorridorsDeps {
  models: Pick<TenantModels, 'routes' | 'fxRates'>;
}

/** Routes and rates are the same for all tenants. */
export function createCorridors(deps: CorridorsDeps): Corridors {
  const routes = new LRUCache<string, Route[]>({
    ...FRESH,
    fetchMethod: (corridor) => deps.models.routes.find(JSON.parse(corridor)).lean(),
  });
  const rates = new LRUCache<string, string>({
    ...FRESH,
    fetchMethod: (pair) => readRate(deps, pair),
  });
  const fxRate: Corridors['fxRate'] = async (source, destination) =>
    source === destination ? '1' : rates.fetch(JSON.stringify({ source, destination }));
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
    upsertFxRate: async ({ source, destination, rate }) => {
      await retryOnConflict(() =>
        deps.models.fxRates.updateOne({ source, destination }, { rate }, { upsert: true }).exec(),
      );
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
  return models.fxRates.find().sort({ source: 1, destination: 1 }).select({ _id: 0 }).lean();
}

async function readRate({ models }: CorridorsDeps, pair: string): Promise<string | undefined> {
  return (await models.fxRates.findOne(JSON.parse(pair)).lean())?.rate;
}
