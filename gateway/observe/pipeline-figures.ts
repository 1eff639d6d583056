import { Counter, Gauge, type Registry } from 'prom-client';
import { shareRunning } from './share-running.ts';

/** Figures of the pipeline of atomic calls at one moment. */
export interface PipelineFigures {
  /** Figures of all processes, by phase. */
  readonly phases: Readonly<Record<string, { inProgress: number; stuck: number; oldestSeconds: number }>>;
  /** Requests of all processes whose payer may have been asked, by the record and by what is done about them. */
  readonly asked: Readonly<Record<string, Readonly<Record<'retrying' | 'withdrawing' | 'unknown', number>>>>;
  /** Outcomes of this process's steps since its start, and its running steps. */
  readonly steps: Readonly<Record<string, number>>;
}

const BY_PHASE = [
  ['in_progress', 'inProgress', 'Remittances of all processes that are in progress, counted up to 100,000'],
  ['stuck', 'stuck', 'Remittances of all processes that have been in their phase for over 30 s'],
  ['oldest_seconds', 'oldestSeconds', 'For how long the remittance that came first has been in the phase'],
] as const;

/**
 * Metrics of the pipeline. However many metrics are collected at once, the figures are read once.
 *
 * @param read resolves to `undefined` when there are none now
 */
export function addPipelineFigures(
  registry: Registry,
  read: () => Promise<PipelineFigures | undefined>,
): void {
  const registers = [registry];
  const figures = shareRunning(read);
  for (const [name, figure, help] of BY_PHASE) {
    new Gauge({
      name: `remitgraph_pipeline_${name}`,
      help,
      labelNames: ['phase'],
      registers,
      async collect() {
        const now = await figures();
        this.reset();
        for (const [phase, of] of Object.entries(now?.phases ?? {})) {
          this.set({ phase }, of[figure]);
        }
      },
    });
  }
  new Gauge({
    name: 'remitgraph_payers_may_have_been_asked',
    help: 'Requests of all processes whose funding provider has lost an answer, while nobody knows whether the payer holds them, counted up to 100,000',
    labelNames: ['record', 'state'],
    registers,
    async collect() {
      const now = await figures();
      this.reset();
      for (const [record, states] of Object.entries(now?.asked ?? {})) {
        for (const [state, count] of Object.entries(states)) {
          this.set({ record, state }, count);
        }
      }
    },
  });
  new Counter({
    name: 'remitgraph_pipeline_steps_total',
    help: 'Steps of this process by outcome',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const now = await figures();
      this.reset();
      const { inFlight: _inFlight, ...outcomes } = now?.steps ?? {};
      for (const [outcome, count] of Object.entries(outcomes)) {
        this.inc({ outcome }, count);
      }
    },
  });
  new Gauge({
    name: 'remitgraph_pipeline_steps_in_flight',
    help: 'Steps of this process that are under way',
    registers,
    async collect() {
      const now = await figures();
      // It is not reset: without labels that would be a 0.
      this.remove();
      if (now?.steps.inFlight !== undefined) {
        this.set(now.steps.inFlight);
      }
    },
  });
}
