import type { NextStep } from '../parts/states.tsx';
import { words } from '../settings.tsx';
import { docsOf, PATHS } from './paths.ts';

// The steps that empty screens offer, in the language of the reader.

/** How a server makes its first payment. */
export const quickstart = (): NextStep => ({
  label: words.value.empty.next.quickstart,
  href: docsOf.quickstart,
});

/** How to receive webhooks and check their signature. */
export const webhookGuide = (): NextStep => ({
  label: words.value.empty.next.webhooks,
  href: docsOf.webhooks,
});

/** How payments are simulated. */
export const sandboxGuide = (): NextStep => ({ label: words.value.empty.next.sandbox, href: docsOf.sandbox });

/** Where endpoints are added and tested. */
export const endpoints = (): NextStep => ({ label: words.value.empty.next.endpoints, href: PATHS.endpoints });

/** The list of users, which filters by other values than the search. */
export const users = (): NextStep => ({ label: words.value.empty.next.users, href: PATHS.users });
