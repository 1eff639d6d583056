import type { Connection } from 'mongoose';
import type { PipelineDeps, PipelineSettings } from './deps.ts';
import { createRemittanceService, type RemittanceService } from './service.ts';
import { createRemittanceModel, type RemittanceDocument } from './store/model.ts';
import { createRemittanceRepository } from './store/remittance-repository.ts';
import { createPipelineWorker, type PipelineWorker } from './worker.ts';

/** Atomic calls: their acceptance, and the worker that carries them through their phases. */
export interface Pipeline extends RemittanceService, PipelineWorker {}

export function createPipeline({
  connection,
  ...deps
}: Omit<PipelineDeps, 'remittances'> & { connection: Connection; settings: PipelineSettings }): Pipeline {
  const model = createRemittanceModel(connection);
  const justAllowed = new WeakSet<RemittanceDocument>();
  const pipelineDeps = { ...deps, remittances: createRemittanceRepository(model), justAllowed };
  const work = createPipelineWorker(pipelineDeps, model);
  const service = createRemittanceService({ ...pipelineDeps, admit: work.worker.admit });
  return { ...service, ...work };
}
