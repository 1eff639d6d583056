import type { Connection as Database, Model } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { FIGURES_FRESH_MS, keepRecent } from '../../kernel/recent.ts';
import { createApiKeyModel } from '../../partners/keys/model.ts';
import { createTenantModels } from '../../partners/tenants/model.ts';
import type { Events } from '../../runtime/events/index.ts';
import { createAlarmModel } from '../../runtime/jobs/model.ts';
import { createLeaseModel } from '../../runtime/leases/model.ts';
import {
  createProcessModel,
  PROCESS_KEPT_SECONDS,
  type ProcessDocument,
} from '../../runtime/processes/model.ts';
import { createWebhookModels } from '../../webhooks/model.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { createSampleModel, createSamples, type Samples } from './samples.ts';
import { createTenantFigures, type SliceFigures, type TenantFigures } from './tenant-figures.ts';
import { listTenants, listTroubled, type TenantOrder, type TenantPage, type TenantView } from './tenants.ts';
import {
  type JobView,
  type LeaseView,
  type Phases,
  type QueueView,
  readJobs,
  readLeases,
  readReplayQueue,
  toPipelineQueues,
  toWebhookQueue,
} from './work.ts';

export {
  type EndpointFigures,
  type KeyFigures,
  NO_ENDPOINTS,
  NO_KEYS,
  NO_REMITTANCES,
  NO_WEBHOOKS,
  type RemittanceFigures,
  type TenantFigures,
  type WebhookFigures,
} from './tenant-figures.ts';
export type { TenantOrder, TenantView } from './tenants.ts';
export type { LeaseView } from './work.ts';

/**
 * The operators' reads of the whole platform: nothing of payers, nothing secret. Each function throws when the
 * database cannot be reached.
 */
export interface Operators {
  tenants(page: TenantPage, order?: TenantOrder): Promise<Connection<TenantView>>;
  /** Figures of partners, for a page of them at once. */
  readonly figures: TenantFigures;
  /** At most 15 s old. */
  queues(): Promise<QueueView[]>;
  jobs(): Promise<JobView[]>;
  leases(): Promise<LeaseView[]>;
  events: Events['status'];
  /** How queues and event log stood in the last hour. */
  readonly samples: Samples;
  /** Processes that have said within five minutes that they run, the 200 seen last; by role, host and start. */
  processes(): Promise<ProcessDocument[]>;
  /** The database's time, by which all of these are judged. */
  now(): Date;
}

interface OperatorsDeps {
  readonly connection: Database;
  readonly events: Pick<Events, 'status'>;
  readonly webhooks: Pick<Webhooks, 'figures'>;
  /** Figures of remittances by phase. */
  readonly phases: () => Promise<Phases>;
  readonly slices: SliceFigures;
  readonly clock: () => Date;
}

export function createOperators(deps: OperatorsDeps): Operators {
  const { connection, events, webhooks, phases, slices, clock } = deps;
  const { tenants, endpoints } = createTenantModels(connection);
  const { deliveries, endpointStates, replays } = createWebhookModels(connection);
  const alarms = createAlarmModel(connection);
  const leases = createLeaseModel(connection);
  const processes = createProcessModel(connection);
  const figures = createTenantFigures({
    ...{ keys: createApiKeyModel(connection), endpoints, endpointStates, deliveries },
    ...{ slices, clock },
  });
  const queues = keepRecent(FIGURES_FRESH_MS, async () => {
    const [webhookQueue, replaying, byPhase] = await Promise.all([
      webhooks.figures.queue(),
      readReplayQueue(replays, clock()),
      phases(),
    ]);
    return [toWebhookQueue(webhookQueue), replaying, ...toPipelineQueues(byPhase)];
  });
  return {
    tenants: (page, order = 'id') =>
      order === 'trouble' ? listTroubled(tenants, figures, page) : listTenants(tenants, page),
    figures,
    queues,
    jobs: () => readJobs(alarms, clock()),
    leases: () => readLeases(leases, clock()),
    events: events.status,
    samples: createSamples({ model: createSampleModel(connection), queues, events: events.status, clock }),
    processes: () => readProcesses(processes, clock()),
    now: clock,
  };
}

/** A process that ends at each start, again and again, leaves a record each time. */
const MOST_PROCESSES = 200;

/** The database removes records of killed processes when it comes to it: until then they are left out. */
async function readProcesses(model: Model<ProcessDocument>, now: Date): Promise<ProcessDocument[]> {
  const since = new Date(now.getTime() - PROCESS_KEPT_SECONDS * 1_000);
  const found = await model
    .find({ seenAt: { $gt: since } })
    .sort({ seenAt: -1 })
    .limit(MOST_PROCESSES)
    .lean();
  return found.toSorted(
    (one, other) =>
      one.role.localeCompare(other.role) ||
      one.host.localeCompare(other.host) ||
      one.startedAt.getTime() - other.startedAt.getTime(),
  );
}
