import { countHeldEndpoints, type HeldEndpoints } from './held-endpoints.ts';
import type { WebhookModels } from './model.ts';
import { createQueueFigures, type QueueFigures, type QueueState } from './queue-figures.ts';
import { type AttemptListener, createAttemptListeners } from './telemetry.ts';

/** What metrics are made from, besides the counts of attempts. */
export interface WebhookFigures {
  /** What is to be sent, of all processes, not older than 15 s. @throws when the database cannot be reached */
  queue(): Promise<Record<QueueState, QueueFigures>>;
  /** How many endpoints are held. @throws when the database cannot be reached */
  heldEndpoints(): Promise<HeldEndpoints>;
  /** Calls back with each attempt of this process that is over, from now on. */
  onAttempt(listener: AttemptListener): void;
}

/** @returns them, and what they are to be told of attempts */
export function createWebhookFigures(
  { deliveries, endpointStates }: Pick<WebhookModels, 'deliveries' | 'endpointStates'>,
  clock: () => Date,
): { readonly figures: WebhookFigures; readonly tell: AttemptListener } {
  const { add, tell } = createAttemptListeners();
  const figures = {
    queue: createQueueFigures(deliveries, clock),
    heldEndpoints: () => countHeldEndpoints(endpointStates),
    onAttempt: add,
  };
  return { figures, tell };
}
