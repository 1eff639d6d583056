import { describe, expect, test } from '@jest/globals';
import type { Route } from '../../partners/tenants/service.ts';
import type { CreateCommand } from '../commands/create-request-money.ts';
import { chooseRoute, deriveCorridor } from './corridor.ts';
import { mintPayerLinks } from './payer-links.ts';

const COMMAND: CreateCommand = {
  referenceId: 'AB12cd34',
  amount: '1500.5',
  currency: 'MXN',
  expiresInMinutes: 10,
  requestData: {
    userReferenceId: 'u-77',
    name: { firstName: 'Ana {link}', lastName: 'Ruiz' },
    address: { country: 'MX', state: 'CDMX' },
    payoutMethod: 'bank_account',
    bankAccount: { accountNumber: '1' },
  },
};
const ROUTE: Route = {
  sourceCountry: 'US',
  destinationCountry: 'MX',
  destinationCurrency: 'MXN',
  payoutType: 'bank_account',
  payerCode: 'MXSPEI',
  states: { CDMX: 'DIF' },
  minAmount: '10',
  maxAmount: '50000',
};
const CORRIDOR = {
  sourceCountry: 'US',
  sourceCurrency: 'USD',
  destinationCountry: 'MX',
  destinationCurrency: 'MXN',
};

const inState = (state: string | undefined): CreateCommand => ({
  ...COMMAND,
  requestData: { ...COMMAND.requestData, address: { country: 'MX', state } },
});

describe('deriveCorridor', () => {
  test('comes from the tenant and the body', () => {
    expect(deriveCorridor('US', COMMAND)).toEqual({ ok: true, value: CORRIDOR });
  });

  test.each<[string, string | undefined, CreateCommand]>([
    ['no source', undefined, COMMAND],
    [
      'an unknown country',
      'US',
      { ...COMMAND, requestData: { ...COMMAND.requestData, address: { country: 'XX' } } },
    ],
    ['an unknown currency', 'US', { ...COMMAND, currency: 'XXY' }],
  ])('%s cannot be resolved', (_name, source, command) => {
    expect(deriveCorridor(source, command)).toMatchObject({ failures: [{ code: 'CORRIDOR_UNRESOLVABLE' }] });
  });
});

describe('chooseRoute', () => {
  test('maps the state and keeps the documented order', () => {
    const chosen = chooseRoute(CORRIDOR, [{ ...ROUTE, payoutType: 'cash' }, ROUTE], COMMAND);
    expect(JSON.stringify(chosen.ok && chosen.value)).toBe(
      '{"resolved":{"sourceCountry":"US","destinationCountry":"MX","sourceCurrency":"USD","destinationCurrency":"MXN",' +
        '"payoutType":"bank_account","payerCode":"MXSPEI","stateCode":"DIF"},"warnings":[]}',
    );
  });

  test('leaves the state code out when the route needs none', () => {
    const { states: _, ...route } = ROUTE;
    const chosen = chooseRoute(CORRIDOR, [route], COMMAND);
    expect(chosen.ok && chosen.value.resolved).not.toHaveProperty('stateCode');
  });

  test.each<[string, Route[], CreateCommand, string]>([
    ['no route', [], COMMAND, 'ROUTE_NOT_AVAILABLE'],
    ['no route for the method', [{ ...ROUTE, payoutType: 'cash' }], COMMAND, 'PAYOUT_METHOD_UNSUPPORTED'],
    ['no state', [ROUTE], inState(undefined), 'STATE_NOT_MAPPED'],
    ['an unmapped state', [ROUTE], inState('SON'), 'STATE_NOT_MAPPED'],
    ['a state named like a property', [ROUTE], inState('constructor'), 'STATE_NOT_MAPPED'],
  ])('fails for %s', (_name, routes, command, code) => {
    expect(chooseRoute(CORRIDOR, routes, command)).toMatchObject({ ok: false, failures: [{ code }] });
  });

  test.each(['9.99', '50000.01'])('warns about %s', (amount) => {
    const chosen = chooseRoute(CORRIDOR, [ROUTE], { ...COMMAND, amount });
    expect(chosen).toMatchObject({ ok: true, value: { warnings: [{ code: 'ROUTE_NOT_OFFERABLE' }] } });
  });
});

describe('mintPayerLinks', () => {
  const tenant = {
    landingBaseUrl: 'https://pay.acme.test/r',
    messagingBaseUrl: 'https://wa.me/',
    messageTemplate: '{name}: {amount} {currency} {link} {other}',
    widgetBaseUrl: 'https://widget.acme.test',
  };

  test('fills the template once: what it fills in is not filled again', () => {
    const { waLink, landingLink, fundRequestLink } = mintPayerLinks(tenant, COMMAND);
    expect(landingLink).toBe('https://pay.acme.test/r?ref=AB12cd34');
    expect(waLink).toBe(
      `https://wa.me/?text=${encodeURIComponent('Ana {link}: 1500.5 MXN https://pay.acme.test/r?ref=AB12cd34 {other}')}`,
    );
    expect(fundRequestLink).toMatch(/^https:\/\/widget\.acme\.test\/fund\/[A-Za-z0-9_-]{22}$/);
  });

  test.each(['messagingBaseUrl', 'messageTemplate'] as const)(
    'has no messaging link without %s',
    (setting) => {
      const { [setting]: _, ...rest } = tenant;
      expect(mintPayerLinks(rest, COMMAND).waLink).toBe('');
    },
  );

  test('without landingBaseUrl has no landing link, and nothing where the message would have it', () => {
    const { landingBaseUrl: _, ...rest } = { ...tenant, messageTemplate: '{name}: {link}' };
    expect(mintPayerLinks(rest, { ...COMMAND, referenceId: 'AB12cd34' })).toMatchObject({
      landingLink: '',
      waLink: `https://wa.me/?text=${encodeURIComponent('Ana {link}: ')}`,
    });
  });
});
