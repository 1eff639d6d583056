import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import { isWithin } from '../../platform/money/amount.ts';
import { currencyOfCountry, isCountry, isCurrency } from '../../platform/money/iso.ts';
import type { Corridor, Route } from '../../platform/tenants/service.ts';
import type { CreateCommand } from '../commands/create-command.ts';

/** The effective corridor of an ask (document 2, "Create response fields", `resolved`). */
export interface ResolvedCorridor {
  sourceCountry: string;
  destinationCountry: string;
  sourceCurrency: string;
  destinationCurrency: string;
  payoutType: string;
  payerCode: string | null;
  /** What the provider calls the state; absent when the route needs none. */
  stateCode?: string;
}

/** A hint that does not fail a create. */
export interface Warning {
  code: 'ROUTE_NOT_OFFERABLE';
  message: string;
}

/** The corridor, and the hints about it. */
export interface RoutedCorridor {
  resolved: ResolvedCorridor;
  warnings: Warning[];
}

/**
 * Where the money of an ask comes from and goes to.
 * Refusal: CORRIDOR_UNRESOLVABLE for what is no country or currency, or a tenant without a source.
 */
export function deriveCorridor(
  sourceCountry: string | undefined,
  { currency, requestData }: CreateCommand,
): Result<Corridor & { sourceCurrency: string }> {
  const { country } = requestData.address;
  const sourceCurrency = sourceCountry === undefined ? undefined : currencyOfCountry(sourceCountry);
  if (
    sourceCountry === undefined ||
    sourceCurrency === undefined ||
    !isCountry(country) ||
    !isCurrency(currency)
  ) {
    return fail('CORRIDOR_UNRESOLVABLE');
  }
  return succeed({
    sourceCountry,
    sourceCurrency,
    destinationCountry: country,
    destinationCurrency: currency,
  });
}

/**
 * Picks the route of an ask among those of its corridor (decisions, section 3, "Corridor").
 * Refusals: ROUTE_NOT_AVAILABLE, PAYOUT_METHOD_UNSUPPORTED, STATE_NOT_MAPPED.
 */
export function chooseRoute(
  corridor: Corridor & { sourceCurrency: string },
  routes: readonly Route[],
  { amount, requestData }: CreateCommand,
): Result<RoutedCorridor> {
  if (routes.length === 0) {
    return fail('ROUTE_NOT_AVAILABLE');
  }
  const route = routes.find(({ payoutType }) => payoutType === requestData.payoutMethod);
  if (!route) {
    return fail('PAYOUT_METHOD_UNSUPPORTED');
  }
  const stateCode = mapState(route, requestData.address.state);
  if (route.states && stateCode === undefined) {
    return fail('STATE_NOT_MAPPED');
  }
  const resolved: ResolvedCorridor = {
    sourceCountry: corridor.sourceCountry,
    destinationCountry: corridor.destinationCountry,
    sourceCurrency: corridor.sourceCurrency,
    destinationCurrency: corridor.destinationCurrency,
    payoutType: route.payoutType,
    payerCode: route.payerCode,
    ...(stateCode === undefined ? {} : { stateCode }),
  };
  return succeed({ resolved, warnings: findWarnings(route, amount) });
}

function mapState({ states }: Route, state: string | undefined): string | undefined {
  return states && state !== undefined && Object.hasOwn(states, state) ? states[state] : undefined;
}

function findWarnings({ minAmount, maxAmount }: Route, amount: string): Warning[] {
  if (isWithin(amount, { min: minAmount, max: maxAmount })) {
    return [];
  }
  return [{ code: 'ROUTE_NOT_OFFERABLE', message: 'The route may not be offered to payers at this amount.' }];
}
