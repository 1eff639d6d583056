import { SAMPLE_SECONDS, type Samples } from '../../subgraphs/account/operators/samples.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { Role } from '../../subgraphs/kernel/config/roles.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import type { OperationalEvents } from '../../subgraphs/operational-events/index.ts';
import type { WithdrawalWorker } from '../../subgraphs/operations/index.ts';
import type { SandboxResets } from '../../subgraphs/partners/sandboxes/resets.ts';
import type { RequestMoneySlice } from '../../subgraphs/request-money/index.ts';
import type { Events } from '../../subgraphs/runtime/events/index.ts';
import type { Jobs } from '../../subgraphs/runtime/jobs/agenda.ts';
import { listenForWork } from '../../subgraphs/runtime/work/work-listener.ts';
import type { UserErasure } from '../../subgraphs/users/use-cases/erase-user.ts';
import type { Webhooks } from '../../subgraphs/webhooks/webhooks.ts';

/**
 * Within this time after its end an unpaid money request is cancelled (decisions, section 3) and a link is listed as expired:
 * 60 s.
 */
const EXPIRY_SECONDS = 20;

/** Short rounds: records that expire within minutes are removed within seconds. */
const RETENTION_SECONDS = 300;
/** How often to look for due times that lie further ahead than their schedule allows. */
const BRING_BACK_SECONDS = 60;
/** The longest wait of an erasure that a call has left or whose process has died. */
const ERASURE_SECONDS = 10;
/** The longest wait of a reset for its beginning, and for another process after one has died. */
const RESET_SECONDS = 5;
/** The longest wait of a condition for its event, and of due mail. It is no longer than the windows in which limits count calls. */
const OPERATIONAL_EVENTS_SECONDS = 60;
/** The longest wait of a replay for its beginning, and for another process after one has died. */
const REPLAY_SECONDS = 5;

/** The background work, in processes whose role includes it. */
interface Background {
  start(role: Role): Promise<void>;
  /** Stops everything that was started; running work gets to finish. */
  stop(): Promise<void>;
}

interface BackgroundDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly events: Pick<Events, 'sequencer' | 'onUnclaimed' | 'removeExpired'>;
  readonly webhooks: Pick<Webhooks, 'worker' | 'source' | 'retention' | 'replays' | 'bringBack'>;
  readonly jobs: Jobs;
  readonly requestMoney: Pick<RequestMoneySlice, 'pipeline' | 'expireDueMoneyRequests'>;
  readonly operations: {
    readonly withdrawals: Pick<WithdrawalWorker, 'start' | 'sweep' | 'stop' | 'bringBack'>;
  };
  readonly links: { expireDueLinks(): Promise<unknown> };
  readonly erasure: Pick<UserErasure, 'resume'>;
  readonly resets: Pick<SandboxResets, 'work'>;
  readonly samples: Pick<Samples, 'take'>;
  readonly operationalEvents: Pick<OperationalEvents, 'detect' | 'sendMail'>;
}

/** Nothing runs before `start`. */
export function createBackground(deps: BackgroundDeps): Background {
  const { log, events, webhooks, jobs, requestMoney, operations } = deps;
  const { pipeline } = requestMoney;
  defineJobs(deps);
  let listener: { stop(): Promise<void> } | undefined;
  return {
    start: async (role) => {
      if (role === 'gateway') {
        return;
      }
      webhooks.worker.start();
      if (role === 'all' || role === 'worker') {
        events.sequencer.start();
        pipeline.worker.start();
        operations.withdrawals.start();
        await jobs.start();
      }
      if (role === 'worker') {
        const sources = [pipeline.source, ...(webhooks.source ? [webhooks.source] : [])];
        listener = listenForWork({ listen: events.onUnclaimed, sources, log });
      }
    },
    stop: async () => {
      await listener?.stop();
      await jobs.stop();
      await pipeline.worker.stop();
      await operations.withdrawals.stop();
      await webhooks.worker.stop();
    },
  };
}

function defineJobs(deps: BackgroundDeps): void {
  const { config, jobs, log, webhooks, requestMoney, operations, links, erasure, resets, samples } = deps;
  const { operationalEvents } = deps;
  jobs.defineRecurring({
    name: 'pipeline.sweep',
    everySeconds: config.PIPELINE_SWEEP_SECONDS,
    run: () => requestMoney.pipeline.worker.sweep(),
  });
  jobs.defineRecurring({
    name: 'withdrawals.sweep',
    everySeconds: config.PIPELINE_SWEEP_SECONDS,
    run: () => operations.withdrawals.sweep(),
  });
  jobs.defineRecurring({
    name: 'webhooks.sweep',
    everySeconds: config.WEBHOOK_SWEEP_SECONDS,
    run: () => webhooks.worker.sweep(),
  });
  jobs.defineRecurring({
    name: 'work.bringBack',
    everySeconds: BRING_BACK_SECONDS,
    run: async () => {
      const remittances = await requestMoney.pipeline.bringBack();
      const reservations = await operations.withdrawals.bringBack();
      const deliveries = await webhooks.bringBack();
      if (remittances + reservations + deliveries > 0) {
        log.warn({ remittances, reservations, deliveries }, 'work.brought_back');
      }
    },
  });
  jobs.defineRecurring({
    name: 'webhooks.replay',
    everySeconds: REPLAY_SECONDS,
    run: (signal) => webhooks.replays.work(signal),
  });
  jobs.defineRecurring({
    name: 'requestMoney.expire',
    everySeconds: EXPIRY_SECONDS,
    run: (signal) => requestMoney.expireDueMoneyRequests(signal),
  });
  jobs.defineRecurring({
    name: 'links.expire',
    everySeconds: EXPIRY_SECONDS,
    run: () => links.expireDueLinks(),
  });
  jobs.defineRecurring({
    name: 'users.erase',
    everySeconds: ERASURE_SECONDS,
    run: (signal) => erasure.resume(signal),
  });
  if (config.ENVIRONMENTS.includes('sandbox')) {
    jobs.defineRecurring({
      name: 'sandboxes.reset',
      everySeconds: RESET_SECONDS,
      run: (signal) => resets.work(signal),
    });
  }
  jobs.defineRecurring({
    name: 'platform.sample',
    everySeconds: SAMPLE_SECONDS,
    run: () => samples.take(),
  });
  jobs.defineRecurring({
    name: 'operationalEvents.detect',
    everySeconds: OPERATIONAL_EVENTS_SECONDS,
    run: (signal) => operationalEvents.detect(signal),
  });
  jobs.defineRecurring({
    name: 'operationalEvents.mail',
    everySeconds: OPERATIONAL_EVENTS_SECONDS,
    run: (signal) => operationalEvents.sendMail(signal),
  });
  jobs.defineRecurring({
    name: 'retention',
    everySeconds: RETENTION_SECONDS,
    run: (signal) => removeExpired(deps, signal),
  });
}

/** Removes old webhooks and events. It removes the one even if the other fails. @throws the first error */
async function removeExpired({ log, webhooks, events }: BackgroundDeps, signal: AbortSignal): Promise<void> {
  const [webhook, event] = await Promise.allSettled([
    webhooks.retention.removeExpired(signal),
    events.removeExpired(signal),
  ]);
  const removed = {
    ...(webhook.status === 'fulfilled' ? webhook.value : {}),
    ...(event.status === 'fulfilled' ? { events: event.value } : {}),
  };
  if (Object.values(removed).some((count) => count > 0)) {
    log.info(removed, 'retention.removed');
  }
  const failed = [webhook, event].find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw failed.reason;
  }
}
