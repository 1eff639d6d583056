import type { WebhookBreakerState } from '../documents/types.ts';
import { Status } from './values.tsx';

interface Health {
  readonly pausedAt: string | null;
  readonly breaker: WebhookBreakerState;
  /** Of the last hour; null without attempts. */
  readonly successRate: number | null;
}

/** Whether an endpoint gets its webhooks. One of which attempts failed in the last hour is not shown as a healthy one. */
export function EndpointStatus({ of: { pausedAt, breaker, successRate } }: { readonly of: Health }) {
  if (pausedAt !== null) {
    return <Status value="PAUSED" />;
  }
  const isFaltering = breaker === 'CLOSED' && successRate !== null && successRate < 1;
  return <Status value={isFaltering ? 'FALTERING' : breaker} code={breaker} />;
}
