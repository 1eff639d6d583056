import { addressOf } from '../../gateway/console/filters.ts';
import { PATHS, PLATFORM_PATHS, pathOf, pathOfFound } from '../../gateway/console/screens/paths.ts';
import type { StageIds } from './stage.ts';

/** A screen as somebody finds it. */
export interface Screen {
  readonly name: string;
  /** Its address, without the origin. */
  readonly path: string;
}

/** Every screen with records. */
export function screensOf(ids: StageIds): Screen[] {
  return [
    ...Object.entries(PATHS)
      .filter(([name]) => name !== 'search')
      .map(([name, path]) => ({ name, path })),
    {
      name: 'deliveries-by-status',
      path: addressOf(PATHS.deliveries, { status: 'DEAD_LETTERED', last: '24h' }),
    },
    {
      name: 'operations-by-corridor',
      path: addressOf(PATHS.operations, { currency: 'MXN', sourceCountry: 'US', last: '7d' }),
    },
    { name: 'search', path: addressOf(PATHS.search, { text: 'u-77' }) },
    { name: 'operation', path: pathOf.operation(ids.operation) },
    { name: 'money-request', path: pathOf.moneyRequest(ids.moneyRequest) },
    { name: 'money-request-unanswered', path: pathOf.moneyRequest(ids.unanswered) },
    { name: 'money-request-webhooks', path: `${pathOf.moneyRequest(ids.unanswered)}?tab=webhooks` },
    { name: 'remittance-failed', path: pathOf.remittance(ids.failedCall) },
    { name: 'remittance-stuck', path: pathOf.remittance(ids.stuckCall) },
    { name: 'delivery', path: pathOf.delivery(ids.deadLetter) },
    { name: 'user', path: pathOf.user(ids.user) },
    { name: 'user-found', path: pathOfFound(ids.contactUser, ids.contact) },
    { name: 'link', path: pathOf.link(ids.link) },
  ];
}

/** Every screen of the platform's operators. */
export function platformScreens(): Screen[] {
  return [
    ...Object.entries(PLATFORM_PATHS).map(([name, path]) => ({ name: `platform-${name}`, path })),
    { name: 'platform-settings-given', path: addressOf(PLATFORM_PATHS.settings, { source: 'GIVEN' }) },
    { name: 'platform-tenants-no-match', path: addressOf(PLATFORM_PATHS.tenants, { tenant: 'nobody' }) },
    { name: 'platform-no-access', path: PATHS.operations },
  ];
}

/** Screens on which there is nothing. */
export function emptyScreens(): Screen[] {
  return [
    { name: 'operations-no-match', path: addressOf(PATHS.operations, { userId: 'nobody' }) },
    { name: 'webhooks-no-match', path: addressOf(PATHS.deliveries, { event: 'nothing' }) },
    { name: 'users-no-match', path: addressOf(PATHS.users, { referenceId: 'nobody' }) },
    { name: 'search-no-result', path: addressOf(PATHS.search, { text: 'nothing like this' }) },
    { name: 'operation-not-found', path: pathOf.operation('none') },
    { name: 'no-screen', path: '/console/nowhere' },
    { name: 'no-access', path: PLATFORM_PATHS.tenants },
  ];
}

/** A screen with something that opens at a press. */
export interface Opener extends Screen {
  /** A selector of what is pressed. */
  readonly opener: string;
}

/** The settings, filters, and every kind of dialog. */
export function openersOf(ids: StageIds): Opener[] {
  return [
    { name: 'settings', path: PATHS.overview, opener: '.settings summary' },
    { name: 'keyboard', path: PATHS.operations, opener: '.keyboard' },
    { name: 'view', path: PATHS.operations, opener: '.view summary' },
    { name: 'attempts', path: pathOf.moneyRequest(ids.unanswered), opener: '.attempts summary' },
    { name: 'filters', path: PATHS.operations, opener: '.filters summary' },
    { name: 'make-a-key', path: PATHS.keys, opener: '.page-head button' },
    { name: 'replace-a-key', path: PATHS.keys, opener: 'td button' },
    { name: 'revoke-a-key', path: PATHS.keys, opener: 'td button:last-child' },
    { name: 'replace-the-secret', path: PATHS.endpoints, opener: '.actions button:nth-of-type(4)' },
    { name: 'durations', path: PATHS.endpoints, opener: 'section > details > summary' },
    { name: 'replay', path: PATHS.deliveries, opener: '.page-head button' },
    {
      name: 'send-as-a-new-request',
      path: addressOf(PATHS.requests, { subject: ids.moneyRequest }),
      opener: 'td .actions button:nth-of-type(2)',
    },
    { name: 'cancel-a-request', path: pathOf.moneyRequest(ids.unanswered), opener: '.page-head button' },
    { name: 'erase-a-user', path: pathOf.user(ids.user), opener: '.page-head button:nth-of-type(2)' },
    {
      name: 'simulate',
      path: pathOf.moneyRequest(ids.unanswered),
      opener: '.page-head button:nth-of-type(2)',
    },
  ];
}
