import { type AccountId, environmentOf, tenantOf } from '../kernel/account.ts';
import { text, time } from '../kernel/json/json-schema.ts';
import type { Members } from '../kernel/json/shape.ts';
import { EXAMPLE_TIME, envelopedEvent, type WebhookEvent } from './declare.ts';

/** The facts that every operational event has. */
interface OperationalFacts {
  readonly accountId: AccountId;
  /** Where the console shows more. */
  readonly consoleUrl: string;
}

/** An endpoint whose breaker has opened. */
interface FailingEndpoint extends OperationalFacts {
  /** `first`, `statusHook`, or the id of a further endpoint. */
  readonly endpointId: string;
  readonly failingSince: Date;
}

interface DeadLetters extends OperationalFacts {
  /** At most {@link MOST_DEAD_LETTERS}: then there may be more. */
  readonly deliveries: number;
  /** The first ones. */
  readonly deliveryIds: readonly string[];
}

interface ExpiringKey extends OperationalFacts {
  readonly keyId: string;
  readonly endsAt: Date;
  /** null: never. */
  readonly lastUsedAt: Date | null;
}

interface StuckRemittances extends OperationalFacts {
  readonly remittances: number;
  readonly stuckSince: Date;
}

/** Calls that come near a limit. */
interface NearQuota extends OperationalFacts {
  readonly limit: string;
  /** null: it is the limit of all keys of the partner together. */
  readonly keyId: string | null;
  readonly calls: number;
  readonly most: number;
  readonly windowSeconds: number;
}

/** Discrepancies that the import of a provider's file has opened. */
interface OpenedDiscrepancies extends OperationalFacts {
  readonly provider: string;
  /** SHA-256 of the file. */
  readonly fileId: string;
  readonly discrepancies: number;
}

/** The most dead-lettered webhooks that one event counts. */
export const MOST_DEAD_LETTERS = 1_000;
/** The share of a limit from which calls count as near to it, percent. */
export const NEAR_PERCENT = 80;
/** How long before its end a key counts as expiring, hours. */
export const EXPIRING_HOURS = 24;
/** The least time between two events about dead-lettered webhooks, and until a condition that went away may be reported again, minutes. */
export const QUIET_MINUTES = 15;

const OWN = {
  document: 2,
  version: 1,
  receivers: 'operational',
  source: 'the GraphQL API, `updateOperationalEventsConfig`',
} as const;
const COMMON = { accountId: 'acme/sandbox', consoleUrl: 'https://api.example.com/console' } as const;
const SINCE = new Date(EXAMPLE_TIME);

/** The data of an event: the account first, its own members, the link last. */
function data<Source extends OperationalFacts>(own: Members<Source>): Members<Source> {
  return {
    partnerId: [{ ...text, description: 'Your partner id.' }, ({ accountId }) => tenantOf(accountId)],
    environment: [
      { ...text, enum: ['sandbox', 'live'], description: 'Environment that it is about.' },
      ({ accountId }) => environmentOf(accountId),
    ],
    ...own,
    consoleUrl: [
      { ...text, description: 'Address of the console, which shows more.' },
      ({ consoleUrl }) => consoleUrl,
    ],
  };
}

const at = (description: string) => ({ ...time, description });
const count = (description: string) => ({ type: 'integer', minimum: 1, description });

const ENDPOINT: Members<FailingEndpoint> = {
  endpointId: [
    {
      ...text,
      description: 'Id of the endpoint; `statusHook` for the URL that gets the outcomes of atomic calls.',
    },
    ({ endpointId }) => endpointId,
  ],
  failingSince: [
    at('When new webhooks to it began to be kept.'),
    ({ failingSince }) => failingSince.toISOString(),
  ],
};
const SAMPLE_ENDPOINT = { ...COMMON, endpointId: 'we_5TnVq8ZkXw3LmPb7RsYc', failingSince: SINCE };

/** New webhooks to an endpoint are kept, because most fail. */
export const ENDPOINT_FAILING = envelopedEvent<'endpoint.failing', FailingEndpoint>(
  {
    ...OWN,
    name: 'endpoint.failing',
    schemaName: 'EndpointFailingEvent',
    summary: 'Most webhooks to an endpoint fail, and new ones are kept',
    sentWhen:
      'Sent within two minutes after the circuit breaker of the endpoint has opened, once until it closes.',
  },
  data(ENDPOINT),
  SAMPLE_ENDPOINT,
);

/** A failing endpoint answers again. */
export const ENDPOINT_RECOVERED = envelopedEvent<'endpoint.recovered', FailingEndpoint>(
  {
    ...OWN,
    name: 'endpoint.recovered',
    schemaName: 'EndpointRecoveredEvent',
    summary: 'An endpoint that was failing answers again, and the kept webhooks are sent',
    sentWhen:
      'Sent within two minutes after the circuit breaker has closed, once after each `endpoint.failing`.',
  },
  data(ENDPOINT),
  SAMPLE_ENDPOINT,
);

/** Webhooks have used up their attempts. */
export const DELIVERY_DEAD_LETTERED = envelopedEvent<'delivery.dead_lettered', DeadLetters>(
  {
    ...OWN,
    name: 'delivery.dead_lettered',
    schemaName: 'DeliveryDeadLetteredEvent',
    summary: 'Webhooks have used up their attempts and are not tried again',
    sentWhen: `Sent within two minutes after a webhook was dead-lettered, at most once in ${QUIET_MINUTES} minutes: one event reports all that were dead-lettered since the last one. Operational events themselves are not reported.`,
  },
  data({
    deliveries: [
      {
        ...count(`Number of webhooks; ${MOST_DEAD_LETTERS} also stands for more.`),
        maximum: MOST_DEAD_LETTERS,
      },
      ({ deliveries }) => deliveries,
    ],
    deliveryIds: [
      { type: 'array', items: text, description: 'Ids of the first ones, at most 20.' },
      ({ deliveryIds }) => deliveryIds,
    ],
  }),
  { ...COMMON, deliveries: 1, deliveryIds: ['0197f2d2-5f0e-7c4e-9f5e-2b1f0a6c1d11'] },
);

/** A replaced API key ends soon. */
export const KEY_EXPIRING = envelopedEvent<'key.expiring', ExpiringKey>(
  {
    ...OWN,
    name: 'key.expiring',
    schemaName: 'KeyExpiringEvent',
    summary: 'An API key that was replaced stops working soon',
    sentWhen: `Sent once for each key, when it ends in less than ${EXPIRING_HOURS} hours. A revoked key is not reported.`,
  },
  data({
    keyId: [{ ...text, description: 'Id of the key.' }, ({ keyId }) => keyId],
    endsAt: [at('When the key stops working.'), ({ endsAt }) => endsAt.toISOString()],
    lastUsedAt: [
      { ...time, type: ['string', 'null'], description: 'When it was last used; null: never.' },
      ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null,
      'nullable',
    ],
  }),
  {
    ...COMMON,
    keyId: 'key_Vb9xYw2LmNp7RsAcEd3k',
    endsAt: SINCE,
    lastUsedAt: new Date('2026-11-20T16:45:00.000Z'),
  },
);

/** Remittances do not go on. */
export const REMITTANCE_STUCK = envelopedEvent<'remittance.stuck', StuckRemittances>(
  {
    ...OWN,
    name: 'remittance.stuck',
    schemaName: 'RemittanceStuckEvent',
    summary: 'Remittances have been in one phase for over 30 seconds',
    sentWhen: `Sent when remittances are stuck, once until none was stuck for ${QUIET_MINUTES} minutes.`,
  },
  data({
    remittances: [
      count('Number of stuck remittances at the time of the event.'),
      ({ remittances }) => remittances,
    ],
    stuckSince: [
      at('When the one that is stuck longest entered its phase.'),
      ({ stuckSince }) => stuckSince.toISOString(),
    ],
  }),
  { ...COMMON, remittances: 3, stuckSince: SINCE },
);

/** Calls come near a limit. */
export const QUOTA_NEAR = envelopedEvent<'quota.near', NearQuota>(
  {
    ...OWN,
    name: 'quota.near',
    schemaName: 'QuotaNearEvent',
    summary: 'Calls come near a limit, or have reached it',
    sentWhen: `Sent when ${NEAR_PERCENT} % of a limit are used within its window, once until less was used for ${QUIET_MINUTES} minutes.`,
  },
  data({
    limit: [
      { ...text, description: 'Name of the limit, as in the header `RateLimit`.' },
      ({ limit }) => limit,
    ],
    keyId: [
      {
        ...text,
        type: ['string', 'null'],
        description: 'Id of the key; null for the limit of all keys together.',
      },
      ({ keyId }) => keyId,
      'nullable',
    ],
    calls: [count('Calls in the window.'), ({ calls }) => calls],
    most: [count('Calls that are possible in the window.'), ({ most }) => most],
    windowSeconds: [count('Length of the window.'), ({ windowSeconds }) => windowSeconds],
  }),
  {
    ...COMMON,
    limit: 'graphql',
    keyId: 'key_Vb9xYw2LmNp7RsAcEd3k',
    calls: 500,
    most: 600,
    windowSeconds: 60,
  },
);

/** A provider's file and the journal differ. */
export const DISCREPANCY_OPENED = envelopedEvent<'discrepancy.opened', OpenedDiscrepancies>(
  {
    ...OWN,
    name: 'discrepancy.opened',
    schemaName: 'DiscrepancyOpenedEvent',
    summary: "A provider's settlement file and your journal differ",
    sentWhen: 'Sent once for each file whose import has opened discrepancies, when the import ends.',
  },
  data({
    provider: [{ ...text, description: 'Name of the provider.' }, ({ provider }) => provider],
    fileId: [{ ...text, description: 'SHA-256 of the file, in hexadecimal.' }, ({ fileId }) => fileId],
    discrepancies: [
      count('Number of discrepancies that the import has opened.'),
      ({ discrepancies }) => discrepancies,
    ],
  }),
  {
    ...COMMON,
    provider: 'acquirer',
    fileId: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    discrepancies: 2,
  },
);

/** The events about the partner's integration, for the people and programs that operate it. */
export const OPERATIONAL_EVENTS = [
  ENDPOINT_FAILING,
  ENDPOINT_RECOVERED,
  DELIVERY_DEAD_LETTERED,
  KEY_EXPIRING,
  REMITTANCE_STUCK,
  QUOTA_NEAR,
  DISCREPANCY_OPENED,
] as const satisfies readonly WebhookEvent[];

/** The name of an operational event. */
export type OperationalEventName = (typeof OPERATIONAL_EVENTS)[number]['name'];
