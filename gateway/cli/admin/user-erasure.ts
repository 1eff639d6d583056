import { createEventLog } from '../../../subgraphs/runtime/events/log.ts';
import { createEventModels } from '../../../subgraphs/runtime/events/model.ts';
import { createErasure } from '../../app/erasure.ts';

/** The erasure for commands. The sequencer of a running server finds their events at its next poll. */
export function createAdminErasure(deps: Omit<Parameters<typeof createErasure>[0], 'events'>) {
  const { events } = createEventModels(deps.connection);
  return createErasure({ ...deps, events: createEventLog({ model: events, wake: () => undefined }) });
}
