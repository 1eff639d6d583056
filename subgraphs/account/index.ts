import type { SubgraphDefinition } from '../graph/subgraph.ts';
import type { AccountClocks } from '../kernel/clock/account-clock.ts';
import type { DatabaseClock } from '../kernel/clock/database-clock.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { Logger } from '../kernel/log/log.ts';
import type { Approvals } from '../partners/approvals/approvals.ts';
import type { BrowserTokens } from '../partners/keys/browser-tokens.ts';
import type { ConsoleSessions } from '../partners/keys/console-sessions.ts';
import type { PartnerKeys } from '../partners/keys/partner-keys.ts';
import type { OperatorLog } from '../partners/operator-log/index.ts';
import type { RequestReader } from '../partners/request-log/reader.ts';
import type { Reveals } from '../partners/request-log/reveals.ts';
import type { Sandboxes } from '../partners/sandboxes/sandboxes.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { Events } from '../runtime/events/index.ts';
import type { PartnerLimiter } from '../runtime/limits/partner-limiter.ts';
import { createPartnerEndpoints } from '../webhooks/partner-endpoints.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { ApiKeyResolver } from './graphql/api-key-resolver.ts';
import { ApprovalResolver } from './graphql/approval-resolver.ts';
import { BrowserTokenResolver } from './graphql/browser-token-resolver.ts';
import { ConsoleSessionResolver } from './graphql/console-session-resolver.ts';
import { WebhookAnswerResolver, WebhookBodyResolver } from './graphql/delivery-contact-data.ts';
import { WebhookDeliveryResolver } from './graphql/delivery-resolver.ts';
import { WebhookSubjectResolver } from './graphql/delivery-subject.ts';
import { createDeliveryStatusResolver } from './graphql/delivery-subscription.ts';
import { WebhookEndpointHealthResolver, WebhookEndpointResolver } from './graphql/endpoint-resolver.ts';
import { EventCursorResolver } from './graphql/event-cursor-resolver.ts';
import { FailedCallResolver, WebhookFailureResolver } from './graphql/failed-calls.ts';
import { FiguresResolver } from './graphql/figures-resolver.ts';
import { OperationalEventsResolver } from './graphql/operational-events-resolver.ts';
import { PartnerResolver } from './graphql/partner-resolver.ts';
import { resolveWebhookDeliveries } from './graphql/references.ts';
import { WebhookReplayResolver } from './graphql/replay-resolver.ts';
import { RequestLogResolver } from './graphql/request-log-resolver.ts';
import { SandboxResolver } from './graphql/sandbox-resolver.ts';
import type { Operators } from './operators/index.ts';
import { OperatorLogResolver } from './operators/operator-log-resolver.ts';
import { PlatformResolver } from './operators/platform-resolver.ts';
import { PlatformRemittanceResolver } from './operators/remittance-resolver.ts';
import type { OperatorRemittances } from './operators/remittances.ts';
import { PlatformTenantResolver } from './operators/tenant-resolver.ts';
import { createPartnerService } from './service.ts';
import { createApprovableActs } from './use-cases/approvable-acts.ts';
import { createFourEyes } from './use-cases/four-eyes.ts';
import { createOperationalEventsService } from './use-cases/operational-events.ts';
import { searchDeliveries } from './use-cases/search-deliveries.ts';
import { sendTest } from './use-cases/send-test-event.ts';

/** The account's part of the graph. It has no subgraph of its own: another subgraph hosts it. */
export type AccountGraph = Pick<SubgraphDefinition, 'resolvers' | 'references' | 'search'>;

interface AccountDeps {
  tenants: Tenants;
  partnerKeys: PartnerKeys;
  approvals: Approvals;
  browserTokens: Pick<BrowserTokens, 'create' | 'revoke'>;
  consoleSessions: Pick<ConsoleSessions, 'createLink' | 'list' | 'revoke'>;
  /** Of this service, without a slash at its end. */
  publicUrl: string;
  /** Whether the deployment sends mail. */
  hasMail: boolean;
  /** The versions of the event catalogue that an endpoint can choose now. */
  eventVersions: () => readonly number[];
  limiter: PartnerLimiter;
  events: Pick<Events, 'log' | 'follow' | 'latestCursor' | 'figures'>;
  requestLog: Pick<RequestReader, 'list' | 'findAbout'>;
  reveals: Reveals;
  webhooks: Pick<Webhooks, 'queue' | 'deliveries' | 'endpoints' | 'replays'>;
  transaction: RunTransaction;
  /** Reads of the platform's operators. */
  operators: Operators;
  /** Remittances as operators act on them. */
  operatorRemittances: OperatorRemittances;
  operatorLog: Pick<OperatorLog, 'list'>;
  log: Pick<Logger, 'info'>;
  clock: Pick<DatabaseClock, 'now'>;
  clocks: Pick<AccountClocks, 'accountClock'>;
  sandboxes: Sandboxes;
}

/** The partner's account and its webhooks, as a part of the graph. */
export function createAccount(deps: AccountDeps): AccountGraph {
  const { tenants, limiter, events, webhooks, transaction } = deps;
  const clock = deps.clock.now;
  const { queue, deliveries } = webhooks;
  const endpoints = createPartnerEndpoints({ ...webhooks, tenants, clock });
  const { accountClock } = deps.clocks;
  const partner = createPartnerService({ tenants, limiter, endpoints });
  const { approvals, partnerKeys: keys } = deps;
  const operationalEvents = createOperationalEventsService({ tenants, hasMail: deps.hasMail });
  const { replays } = webhooks;
  const acts = createApprovableActs({ keys, endpoints, partner, replays, operationalEvents });
  const fourEyes = createFourEyes({ acts, approvals, tenants });
  const testing = { endpoints, queue, deliveries, transaction, accountClock };
  return {
    resolvers: [
      new ApiKeyResolver({ keys, fourEyes }),
      new ApprovalResolver({ approvals, fourEyes, tenants }),
      new BrowserTokenResolver(deps.browserTokens),
      new ConsoleSessionResolver({ sessions: deps.consoleSessions, publicUrl: deps.publicUrl }),
      new EventCursorResolver(events),
      new FailedCallResolver(deps.requestLog),
      new FiguresResolver(events.figures),
      new RequestLogResolver(deps.requestLog),
      new PartnerResolver(partner, fourEyes),
      new OperationalEventsResolver(operationalEvents, fourEyes),
      new WebhookDeliveryResolver({
        deliveries,
        sendTest: (accountId, test) => sendTest(testing, accountId, test),
      }),
      new WebhookBodyResolver(deps.reveals),
      new WebhookAnswerResolver(deps.reveals),
      new WebhookSubjectResolver(),
      new WebhookFailureResolver(),
      new WebhookEndpointResolver(endpoints, fourEyes, deps.eventVersions),
      new WebhookEndpointHealthResolver(),
      new WebhookReplayResolver({ endpoints, fourEyes, replays: webhooks.replays }),
      new SandboxResolver(deps.sandboxes),
      new PlatformResolver({ operators: deps.operators, log: deps.log }),
      new PlatformTenantResolver(deps.operators.figures),
      new PlatformRemittanceResolver(deps.operatorRemittances),
      new OperatorLogResolver(deps.operatorLog),
      createDeliveryStatusResolver({ deliveries, follow: events.follow }),
    ],
    references: { WebhookDelivery: resolveWebhookDeliveries(deliveries) },
    search: [searchDeliveries(deliveries)],
  };
}
