import { z } from 'zod';
import {
  cidrList,
  count,
  days,
  flag,
  httpsUrl,
  mailAddress,
  retrySchedule,
  seconds,
  smtpUrl,
  text,
  webUrl,
} from './values.ts';

/** The longest time that a provider has for its whole answer. The lease of a step is longer: `PIPELINE_LEASE_SECONDS`. */
const LONGEST_CALL_SECONDS = 10;
/** The same in milliseconds. */
export const LONGEST_CALL_MS = LONGEST_CALL_SECONDS * 1000;

/** A step saves its answer in this time, behind the longest call of a provider. */
const LEAST_SPARE_SECONDS = 5;

/** Maximum of `WEBHOOK_MAX_ATTEMPTS`. */
export const MOST_WEBHOOK_ATTEMPTS = 50;
/** The event log is divided into this many partitions by default. */
export const DEFAULT_PARTITIONS = 64;
/** A query merges the partitions in one order; MongoDB merges up to 200 ranges of an index (`internalQueryMaxScansToExplode`). */
export const MOST_PARTITIONS = 128;

/** Settings of the work in the background, and of what it calls: webhooks, providers, the pipeline. */
export const WORK_SETTINGS = {
  WEBHOOK_SWEEP_SECONDS: {
    type: seconds({ min: 1, max: 3600 }).default(30),
    description: 'Interval at which a worker looks for due webhooks',
  },
  WEBHOOK_TIMEOUT_SECONDS: {
    type: seconds({ min: 1, max: 120 }).default(10),
    description: 'Time limit for the whole answer of a receiver',
  },
  WEBHOOK_RETRY_SECONDS: {
    type: retrySchedule.default([60, 300, 1800, 7200, 43_200]),
    description:
      'Delays after the first, second, … failed attempt of a webhook, in seconds, separated by commas',
  },
  WEBHOOK_MAX_ATTEMPTS: {
    type: z.coerce.number('must be a number').int().min(1).max(MOST_WEBHOOK_ATTEMPTS).default(5),
    description: 'Number of attempts before a webhook is dead-lettered',
  },
  WEBHOOK_NUDGE: {
    type: flag.default(true),
    description: 'Whether a new webhook is sent at once; with `false`, the next sweep sends it',
  },
  WEBHOOK_BREAKER: {
    type: flag.default(true),
    description:
      'Whether new webhooks to a failing endpoint are kept, except for probes, until it answers again; with `false`, all are tried',
  },
  WEBHOOK_RETENTION_DAYS: {
    type: days({ min: 1 }).default(30),
    description:
      'Days for which webhooks are kept after they were delivered or dead-lettered, and attempts after they were made. Daily counts are kept without limit',
  },
  EVENT_LOG_PARTITIONS: {
    type: z.coerce.number('must be a number').int().min(1).max(MOST_PARTITIONS).default(DEFAULT_PARTITIONS),
    description:
      'Partitions of the event log, which processes divide among them; the same for all processes. On a database that has data, change it as `remitgraph admin events partition` says',
  },
  EVENT_RETENTION_DAYS: {
    type: days({ min: 30 }).default(30),
    description:
      'Days for which events are kept and cursors are valid; at least 30, as documented for partners',
  },
  WEBHOOK_ALLOWED_CIDRS: {
    type: cidrList.default([]),
    description:
      'Private, loopback and link-local CIDR blocks in which webhook receivers are allowed; empty for none',
  },
  WEBHOOK_CA_FILE: {
    type: text.optional(),
    description: 'PEM file of additional certificate authorities for webhook receivers',
  },
  WEBHOOK_CLIENT_CERT_FILE: {
    type: text.optional(),
    description:
      'PEM certificate that is presented to webhook receivers that ask for one (mutual TLS); requires `WEBHOOK_CLIENT_KEY_FILE`',
  },
  WEBHOOK_CLIENT_KEY_FILE: {
    type: text.optional(),
    description: 'PEM private key of `WEBHOOK_CLIENT_CERT_FILE`',
  },
  SMTP_URL: {
    type: smtpUrl.optional(),
    description:
      'Mail server for operational events, such as `smtps://user:password@mail.example:465`; `smtp:` requires STARTTLS, except on the same machine and with `?tls=optional`. When unset, no mail is sent',
    secret: true,
  },
  MAIL_FROM: {
    type: mailAddress.optional(),
    description: 'Address of the sender of mail; required with `SMTP_URL`',
  },
  FX_RATES_URL: {
    type: httpsUrl.optional(),
    description:
      'HTTPS URL of a source of exchange rates (see `gateway/app/README.md`); when unset, only rates of the seed file and of `remitgraph admin rate set` are used',
  },
  FX_RATES_REFRESH_SECONDS: {
    type: seconds({ min: 5, max: 86_400 }).default(60),
    description: 'Time between two reads of `FX_RATES_URL`',
  },
  FX_RATES_MAX_AGE_SECONDS: {
    type: seconds({ min: 10, max: 604_800 }).default(900),
    description:
      'Age of a rate of `FX_RATES_URL` from which on live calls that need it fail with `RATE_STALE` (503); a locked quote stays valid',
  },
  FX_RATES_ALLOWED_CIDRS: {
    type: cidrList.default([]),
    description:
      'Private, loopback and link-local CIDR blocks in which the source of exchange rates is allowed; empty for none',
  },
  IDENTITY_VALIDATOR_URL: {
    type: webUrl.optional(),
    description:
      'URL of the identity validator for live calls; when unset, live calls that need it fail with 503',
  },
  CARD_PROVIDER_URL: {
    type: webUrl.optional(),
    description:
      'URL of the payout card verifier for live calls; when unset, live calls that need it fail with 503',
  },
  UBN_PROVIDER_URL: {
    type: webUrl.optional(),
    description:
      'URL of the bank account verifier for live calls; when unset, live calls that need it fail with 503',
  },
  FUNDING_PROVIDER_URL: {
    type: webUrl.optional(),
    description:
      'URL of the funding provider, which asks payers for money, for live calls; when unset, live calls that need it fail with 503',
  },
  SANDBOX_IDENTITY_VALIDATOR_URL: {
    type: webUrl.optional(),
    description:
      'URL of a test identity validator for sandbox calls; when unset, the built-in sandbox is used',
  },
  SANDBOX_CARD_PROVIDER_URL: {
    type: webUrl.optional(),
    description: 'URL of a test card verifier for sandbox calls; when unset, the built-in sandbox is used',
  },
  SANDBOX_UBN_PROVIDER_URL: {
    type: webUrl.optional(),
    description: 'URL of a test account verifier for sandbox calls; when unset, the built-in sandbox is used',
  },
  SANDBOX_FUNDING_PROVIDER_URL: {
    type: webUrl.optional(),
    description: 'URL of a test funding provider for sandbox calls; when unset, the built-in sandbox is used',
  },
  FUNDING_WITHDRAW_AFTER_SECONDS: {
    type: seconds({ min: 1, max: 86_400 }).default(600),
    description:
      'Time after which a request by request-money-v2 is withdrawn if its payer may have been asked and the caller has not repeated it',
  },
  PIPELINE_SWEEP_SECONDS: {
    type: seconds({ min: 1, max: 3600 }).default(2),
    description: 'Interval at which a worker looks for due steps of accepted requests',
  },
  PIPELINE_LEASE_SECONDS: {
    type: seconds({ min: LONGEST_CALL_SECONDS + LEAST_SPARE_SECONDS, max: 3600 }).default(30),
    description:
      "Time after which a step is run again if its worker died; at least 15, which is the time limit for a provider's answer plus 5 seconds",
  },
  PIPELINE_CONCURRENCY: {
    type: count.default(256),
    description:
      'Maximum steps of accepted requests that run in a process at once, including those that wait for a provider',
  },
  PIPELINE_TENANT_CONCURRENCY: {
    type: count.default(64),
    description:
      'Maximum steps of one tenant in one environment that run in a process at once, so that slow providers leave room for others',
  },
  PIPELINE_RETRY_SECONDS: {
    type: retrySchedule.default([5, 30, 120, 600]),
    description:
      'Delays after the first, second, … temporary failure of a step, in seconds; one more failure than delays fails the request',
  },
} as const;
