import { readSeedFxRate, readSeedRoute } from '../../../subgraphs/partners/tenants/seed.ts';
import type { Route } from '../../../subgraphs/partners/tenants/service.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  listOf,
  optionWith,
  textOf,
  UsageError,
  type Values,
} from './command.ts';

const CORRIDOR = ['source-country', 'destination-country', 'currency', 'payout-type'];
const CORRIDOR_OPTIONS = {
  'source-country': optionWith('CC', 'Where payers pay, ISO 3166-1 alpha-2.'),
  'destination-country': optionWith('CC', 'Where the money is paid out.'),
  currency: optionWith('CUR', 'That it is paid out in, ISO 4217.'),
  'payout-type': optionWith('TYPE', 'bank_account, card or cash.'),
};
const PAIR_OPTIONS = {
  source: optionWith('CUR', 'Currency of payers, ISO 4217.'),
  destination: optionWith('CUR', 'Currency that is paid out.'),
};

/** Routes and rates, which all tenants share (decisions, section 1). */
export const ROUTE_COMMANDS: Readonly<Record<string, Command>> = {
  'route list': {
    summary: 'The routes of all tenants',
    options: {},
    required: [],
    examples: ['route list --json'],
    run: async ({ tenants }) => ({ rows: (await tenants.allRoutes()).map((route) => ({ ...route })) }),
  },
  'route set': {
    isAct: true,
    summary: 'Make a route, or bring the one of this corridor and payout type up to date',
    options: {
      ...CORRIDOR_OPTIONS,
      'payer-code': optionWith(
        'TEXT',
        'The code of the institution that pays out, as the provider names it.',
      ),
      states: optionWith('OURS=THEIRS,…', 'States that may be paid out in; without it no state is needed.'),
      'min-amount': optionWith('AMOUNT', 'Below it a money request has a warning.'),
      'max-amount': optionWith('AMOUNT', 'Above it, too.'),
    },
    required: CORRIDOR,
    examples: [
      'route set --source-country US --destination-country MX --currency MXN --payout-type bank_account --payer-code MXSPEI',
    ],
    run: setRoute,
  },
  'route remove': {
    isAct: true,
    summary: 'Remove the route of this corridor and payout type; money requests that have it keep it',
    options: CORRIDOR_OPTIONS,
    required: CORRIDOR,
    examples: [
      'route remove --source-country US --destination-country MX --currency MXN --payout-type bank_account',
    ],
    run: removeRoute,
  },
  'rate list': {
    summary: 'The exchange rates of all tenants',
    options: {},
    required: [],
    examples: ['rate list'],
    run: async ({ tenants }) => ({ rows: (await tenants.allFxRates()).map((rate) => ({ ...rate })) }),
  },
  'rate set': {
    isAct: true,
    summary: 'Set an exchange rate; in force everywhere within 2 seconds',
    options: {
      ...PAIR_OPTIONS,
      rate: optionWith('DECIMAL', 'Units of the destination for one of the source.'),
    },
    required: ['source', 'destination', 'rate'],
    examples: ['rate set --source USD --destination MXN --rate 18.25'],
    run: setRate,
  },
  'rate remove': {
    isAct: true,
    summary: 'Remove an exchange rate: no route between its currencies is offered any more',
    options: PAIR_OPTIONS,
    required: ['source', 'destination'],
    examples: ['rate remove --source USD --destination MXN'],
    run: removeRate,
  },
};

async function setRoute({ tenants }: AdminDeps, values: Values): Promise<Answer> {
  const route = readSeedRoute({
    sourceCountry: textOf(values, 'source-country'),
    destinationCountry: textOf(values, 'destination-country'),
    destinationCurrency: textOf(values, 'currency'),
    payoutType: textOf(values, 'payout-type'),
    payerCode: textOf(values, 'payer-code') ?? null,
    states: statesOf(values),
    minAmount: textOf(values, 'min-amount'),
    maxAmount: textOf(values, 'max-amount'),
  });
  const before = (await tenants.allRoutes()).find((one) => corridorOf(one) === corridorOf(route));
  await tenants.upsertRoute(route);
  const act = { subject: corridorOf(route), ...(before && { before: { ...before } }), after: { ...route } };
  return { rows: [{ ...route }], act, note: 'Set; in force everywhere within 2 seconds.' };
}

type CorridorOfRoute = Pick<
  Route,
  'sourceCountry' | 'destinationCountry' | 'destinationCurrency' | 'payoutType'
>;

function corridorOf({
  sourceCountry,
  destinationCountry,
  destinationCurrency,
  payoutType,
}: CorridorOfRoute): string {
  return `${sourceCountry}-${destinationCountry} ${destinationCurrency} ${payoutType}`;
}

/** The corridor is not checked: it may be that of a currency that was withdrawn. */
async function removeRoute({ tenants }: AdminDeps, values: Values): Promise<Answer> {
  const route = {
    sourceCountry: textOf(values, 'source-country') ?? '',
    destinationCountry: textOf(values, 'destination-country') ?? '',
    destinationCurrency: textOf(values, 'currency') ?? '',
    payoutType: textOf(values, 'payout-type') ?? '',
  };
  if (!(await tenants.removeRoute(route))) {
    throw new UsageError('There is no such route.');
  }
  const act = { subject: corridorOf(route), before: route };
  return { rows: [route], act, note: 'Removed; gone everywhere within 2 seconds.' };
}

async function removeRate({ tenants }: AdminDeps, values: Values): Promise<Answer> {
  const pair = { source: textOf(values, 'source') ?? '', destination: textOf(values, 'destination') ?? '' };
  if (!(await tenants.removeFxRate(pair))) {
    throw new UsageError('There is no such rate.');
  }
  const act = { subject: `${pair.source}/${pair.destination}`, before: pair };
  return { rows: [pair], act, note: 'Removed; gone everywhere within 2 seconds.' };
}

function statesOf(values: Values): Record<string, string> | undefined {
  const pairs = listOf(values, 'states')?.map((pair) => pair.split('='));
  if (pairs?.some((pair) => pair.length !== 2 || pair.includes(''))) {
    throw new UsageError('--states takes pairs such as CDMX=DIF,JAL=JAL.');
  }
  return pairs && Object.fromEntries(pairs);
}

async function setRate({ tenants }: AdminDeps, values: Values): Promise<Answer> {
  const rate = readSeedFxRate({
    source: textOf(values, 'source'),
    destination: textOf(values, 'destination'),
    rate: textOf(values, 'rate'),
  });
  const before = (await tenants.allFxRates()).find(
    ({ source, destination }) => source === rate.source && destination === rate.destination,
  );
  await tenants.upsertFxRate(rate);
  const subject = `${rate.source}/${rate.destination}`;
  const act = { subject, ...(before && { before: { ...before } }), after: { ...rate } };
  return { rows: [{ ...rate }], act, note: 'Set; in force everywhere within 2 seconds.' };
}
