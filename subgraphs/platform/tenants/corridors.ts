import { LRUCache } from 'lru-cache';
import { retryOnConflict } from '../database/transaction.ts';
import { FRESH } from './fresh.ts';
import type { FxRateDocument, RouteDocument, TenantModels } from './model.ts';

/** The routes and rates that are configured for all tenants. */
export interface Corridors {
  /** Every route of a corridor, whatever its payout method. */
  routes(corridor: Corridor): Promise<Route[]>;
  /** Every route between two countries, whatever its payout method and currency. */
  routesBetween(countries: Pick<Corridor, 'sourceCountry' | 'destinationCountry'>): Promise<Route[]>;
  /** Whether any route begins in a country. */
  hasRoutesFrom(sourceCountry: string): Promise<boolean>;
  /** Units of `destination` for one of `source`, a decimal string; `1` for the same currency, undefined when unknown. */
  fxRate(source: string, destination: string): Promise<string | undefined>;
  /** All configured routes and rates, for operators. */
  allRoutes(): Promise<Route[]>;
  allFxRates(): Promise<FxRate[]>;
  upsertRoute(route: Route): Promise<void>;
  upsertFxRate(rate: { source: string; destination: string; rate: string }): Promise<void>;
}

export interface Corridor {
  sourceCountry: string;
  destinationCountry: string;
  destinationCurrency: string;
}

export type Route = RouteDocument;
export type FxRate = FxRateDocument;

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
  return {
    routes: async ({ sourceCountry, destinationCountry, destinationCurrency }) => {
      const corridor = { sourceCountry, destinationCountry, destinationCurrency };
      return (await routes.fetch(JSON.stringify(corridor))) ?? [];
    },
    routesBetween: async ({ sourceCountry, destinationCountry }) =>
      (await routes.fetch(JSON.stringify({ sourceCountry, destinationCountry }))) ?? [],
    hasRoutesFrom: async (sourceCountry) =>
      ((await routes.fetch(JSON.stringify({ sourceCountry }))) ?? []).length > 0,
    fxRate: async (source, destination) =>
      source === destination ? '1' : rates.fetch(JSON.stringify({ source, destination })),
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
