import { countHeldEndpoints, type HeldEndpoints } from './held-endpoints.ts';
import type { WebhookModels } from './model.ts';
import { createQueueFigures, type QueueFigures, type WebhookQueueState } from './queue-figures.ts';
import { type AttemptListener, createAttemptListeners } from './telemetry.ts';

/** Sources of metrics besides the counts of attempts. */
export interface WebhookFigures {
  /** Deliveries of all processes that wait to be sent, at most 15 s old. @throws when the database cannot be reached */
  queue(): Promise<Record<WebhookQueueState, QueueFigures>>;
  /** The number of held endpoints. @throws when the database cannot be reached */
  heldEndpoints(): Promise<HeldEndpoints>;
  /** Calls back with each ended attempt of this process, from now on. */
  onAttempt(listener: AttemptListener): void;
}

/** @returns the figures, and a function to call with attempts */
export function createWebhookFigures(
  { deliveries, endpointStates }: Pick<WebhookModels, 'deliveries' | 'endpointStates'>,
  clock: () => Date,
): { readonly figures: WebhookFigures; readonly notify: AttemptListener } {
  const { add, notify } = createAttemptListeners();
  const figures = {
    queue: createQueueFigures({ deliveries, endpointStates }, clock),
    heldEndpoints: () => countHeldEndpoints(endpointStates),
    onAttempt: add,
  };
  return { figures, notify };
}
