import type { WebhookSubjectKind } from '../documents/types.ts';
import { addressOf } from '../filters.ts';
import type { DataOf } from '../graph.ts';
import { None } from '../parts/values.tsx';
import { PATHS, pathOf } from './paths.ts';

type Delivery = Pick<DataOf<'deliveries'>['webhookDeliveries']['nodes'][number], 'event' | 'subject'>;

const PATH_OF: Readonly<Record<WebhookSubjectKind, (id: string) => string>> = {
  REQUEST_MONEY: pathOf.moneyRequest,
  REMITTANCE: pathOf.remittance,
  LINK: pathOf.link,
};

/** Events of calls that failed. A create that failed has no record. */
const FAILED_CALLS = ['operation_error', 'request_money.failed'];

/** Leads to the payment or link that a webhook is about; from a failed call to the search. */
export function Subject({ of: { event, subject } }: { readonly of: Delivery }) {
  if (subject === null) {
    return <None />;
  }
  const { kind, id } = subject;
  const href = FAILED_CALLS.includes(event) ? addressOf(PATHS.search, { text: id }) : PATH_OF[kind](id);
  return <a href={href}>{id}</a>;
}
