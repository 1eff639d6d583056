import type { Connection } from 'mongoose';
import type { AskedRequests } from '../operations/index.ts';
import type { PipelineDeps, PipelineSettings } from './deps.ts';
import { createRemittanceService, type RemittanceService } from './service.ts';
import { createRemittanceModel, type RemittanceDocument } from './store/model.ts';
import { createRemittanceRepository } from './store/remittance-repository.ts';
import { findAsked } from './use-cases/find-asked.ts';
import { createPipelineWorker, type PipelineWorker } from './worker.ts';

export { requestMoneyFullJsonSchema } from './commands/json-schema.ts';
export type { PipelineDeps, PipelineSettings } from './deps.ts';
export { Operation, User } from './graphql/entities.ts';
export { OperationRemittanceResolver } from './graphql/operation-fields.ts';
export { resolveRemittances } from './graphql/references.ts';
export { Remittance, toRemittance } from './graphql/remittance.type.ts';
export { RemittanceResolver, UserRemittancesResolver } from './graphql/resolvers.ts';
export { createRemittanceSubscription } from './graphql/subscription.ts';
export { createOperatorRemittances } from './operator-remittances.ts';
export type { RemittanceDocument } from './store/model.ts';
export { remittanceTimeline } from './use-cases/remittance-timeline.ts';
export { remittanceVerdicts } from './use-cases/remittance-verdict.ts';
export { searchRemittances } from './use-cases/search-remittances.ts';

/** Atomic calls: their acceptance, and the worker that carries them through their phases. */
export interface Pipeline extends RemittanceService, PipelineWorker {}

export function createPipeline({
  connection,
  ...deps
}: Omit<PipelineDeps, 'remittances'> & { connection: Connection; settings: PipelineSettings }): Pipeline {
  const model = createRemittanceModel(connection);
  const userJustChecked = new WeakSet<RemittanceDocument>();
  const pipelineDeps = { ...deps, remittances: createRemittanceRepository(model), userJustChecked };
  const work = createPipelineWorker(pipelineDeps, model);
  const service = createRemittanceService({ ...pipelineDeps, admit: work.worker.admit });
  return { ...service, ...work };
}

/** The part of the pipeline that the operations slice uses, without the worker. */
export function createAskedRemittances({
  connection,
  ...deps
}: Pick<PipelineDeps, 'box' | 'tenants' | 'events' | 'webhooks'> & {
  connection: Connection;
}): AskedRequests {
  const remittances = createRemittanceRepository(createRemittanceModel(connection));
  return { find: (of, unit) => findAsked({ ...deps, remittances }, of, unit) };
}
