import { z } from 'zod';
import { cidrList, count, days, flag, retrySchedule, seconds, text, url } from './values.ts';

/** The longest time that a provider has for its whole answer. The lease of a step is longer: `PIPELINE_LEASE_SECONDS`. */
export const LONGEST_CALL_SECONDS = 10;

/** A step saves its answer in this time, behind the longest call of a provider. */
const LEAST_SPARE_SECONDS = 5;

/** Settings of the work in the background, and of what it calls: webhooks, providers, the pipeline. */
export const WORK_SETTINGS = {
  WEBHOOK_SWEEP_SECONDS: {
    type: seconds({ min: 1, max: 3600 }).default(30),
    description: 'Interval of the worker that posts due events',
  },
  WEBHOOK_TIMEOUT_SECONDS: {
    type: seconds({ min: 1, max: 120 }).default(10),
    description: 'Time that a receiver has for its whole answer',
  },
  WEBHOOK_RETRY_SECONDS: {
    type: retrySchedule.default([60, 300, 1800, 7200, 43_200]),
    description: 'Delays after the first, second, … failed attempt, in seconds, separated by commas',
  },
  WEBHOOK_MAX_ATTEMPTS: {
    type: z.coerce.number('must be a number').int().min(1).max(50).default(5),
    description: 'Attempts in all before an event is dead-lettered',
  },
  WEBHOOK_NUDGE: {
    type: flag.default(true),
    description: 'Try a freshly stored event at once; the sweep stays as the backstop',
  },
  WEBHOOK_BREAKER: {
    type: flag.default(true),
    description:
      'Keep new events from an endpoint that fails most of what it gets, but for probes, until it answers again; without it all are tried',
  },
  WEBHOOK_RETENTION_DAYS: {
    type: days({ min: 1 }).default(30),
    description:
      'Days for which deliveries are kept after they were delivered or dead-lettered, and attempts after they were made; counts by day stay',
  },
  EVENT_RETENTION_DAYS: {
    type: days({ min: 30 }).default(30),
    description:
      'Days for which events are kept, and cursors count; at least the 30 that partners are promised',
  },
  WEBHOOK_ALLOWED_CIDRS: {
    type: cidrList.default([]),
    description: 'Private, loopback and link-local blocks that receivers may stand in; empty blocks them all',
  },
  WEBHOOK_CA_FILE: {
    type: text.optional(),
    description: 'PEM file of extra certificate authorities of receivers',
  },
  IDENTITY_VALIDATOR_URL: {
    type: url(/^https?$/).optional(),
    description: 'Identity validator of live calls; while it is unset, live calls that need it fail with 503',
  },
  CARD_PROVIDER_URL: {
    type: url(/^https?$/).optional(),
    description:
      'Verifier of payout cards of live calls; while it is unset, live calls that need it fail with 503',
  },
  UBN_PROVIDER_URL: {
    type: url(/^https?$/).optional(),
    description:
      'Verifier of bank accounts of live calls; while it is unset, live calls that need it fail with 503',
  },
  FUNDING_PROVIDER_URL: {
    type: url(/^https?$/).optional(),
    description:
      'Requests the money of payers for live calls; while it is unset, live calls that need it fail with 503',
  },
  SANDBOX_IDENTITY_VALIDATOR_URL: {
    type: url(/^https?$/).optional(),
    description: 'Test identity validator of sandbox calls; unset uses the built-in sandbox',
  },
  SANDBOX_CARD_PROVIDER_URL: {
    type: url(/^https?$/).optional(),
    description: 'Test card verifier of sandbox calls; unset uses the built-in sandbox',
  },
  SANDBOX_UBN_PROVIDER_URL: {
    type: url(/^https?$/).optional(),
    description: 'Test account verifier of sandbox calls; unset uses the built-in sandbox',
  },
  SANDBOX_FUNDING_PROVIDER_URL: {
    type: url(/^https?$/).optional(),
    description: 'Test funding provider of sandbox calls; unset uses the built-in sandbox',
  },
  FUNDING_WITHDRAW_AFTER_SECONDS: {
    type: seconds({ min: 1, max: 86_400 }).default(600),
    description:
      'Time after which a request by request-money-v2 whose payer may have been asked is withdrawn, when its caller has not repeated it',
  },
  PIPELINE_SWEEP_SECONDS: {
    type: seconds({ min: 1, max: 3600 }).default(2),
    description: 'Interval at which a worker looks for due steps of accepted requests',
  },
  PIPELINE_LEASE_SECONDS: {
    type: seconds({ min: LONGEST_CALL_SECONDS + LEAST_SPARE_SECONDS, max: 3600 }).default(30),
    description:
      'Time after which a step whose worker died is done again; at least 15: the time that a provider has for its answer, and 5 seconds',
  },
  PIPELINE_CONCURRENCY: {
    type: count.default(256),
    description:
      'Steps of accepted requests under way in a process at once, those that wait for a provider included',
  },
  PIPELINE_TENANT_CONCURRENCY: {
    type: count.default(64),
    description: 'The same of one tenant, so that one whose provider is slow leaves room for the others',
  },
  PIPELINE_RETRY_SECONDS: {
    type: retrySchedule.default([5, 30, 120, 600]),
    description:
      'Delays after the first, second, … failure of a step that may pass, in seconds; the failure after the last one fails the request',
  },
} as const;
