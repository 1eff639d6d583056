import { useState } from 'preact/hooks';
import { ReplayableWebhookStatus, WebhookDeliveryStatus } from '../documents/types.ts';
import { chosen, defined, type FilterValues, spanOf, withoutStatus } from '../filters.ts';
import { formatNumber } from '../format.ts';
import type { DataOf } from '../graph.ts';
import type { ListSource } from '../list-source.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Needs } from '../parts/needs.tsx';
import { type Pending, PendingApproval, pendingOf } from '../parts/pending-approval.tsx';
import { Empty, Failed } from '../parts/states.tsx';
import { StatusTabs } from '../parts/status-tabs.tsx';
import { CodeWords, NextAttempt, None, Status, Time } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { useAction } from '../use-action.tsx';
import { LiveList } from './live-list.tsx';
import { pathOf } from './paths.ts';
import { Replays } from './replays.tsx';
import { Subject } from './subject.tsx';

type Row = DataOf<'deliveries'>['webhookDeliveries']['nodes'][number];

const STATUSES = Object.values(WebhookDeliveryStatus);
const REPLAYABLE = [ReplayableWebhookStatus.DELIVERED, ReplayableWebhookStatus.DEAD_LETTERED];

const SOURCE: ListSource<'deliveries', 'deliveryChanges', Row> = {
  list: 'deliveries',
  changes: 'deliveryChanges',
  csv: 'webhooks',
  fields: [
    { kind: 'choice', name: 'status', options: STATUSES, of: ({ status }) => status },
    { kind: 'text', name: 'event', of: ({ event }) => event },
    { kind: 'text', name: 'endpointId', needsSpan: true, of: ({ endpointId }) => endpointId },
    { kind: 'span' },
  ],
  keyOf: ({ id }) => id,
  createdAt: (row) => row.createdAt,
  rowsOf: ({ webhookDeliveries }) => webhookDeliveries,
  rowOf: ({ webhookDeliveryChanged }) => webhookDeliveryChanged.delivery,
};

export function Deliveries() {
  const { nav, fields, common } = words.value;
  const [round, setRound] = useState(0);
  return (
    <>
      <LiveList
        title={nav.deliveries}
        empty={<Empty next={['endpoints', 'webhooks']}>{words.value.lists.empty.deliveries}</Empty>}
        source={SOURCE}
        hrefOf={({ id }) => pathOf.delivery(id)}
        tabs={(address) => (
          <StatusTabs
            address={address}
            statuses={STATUSES}
            document="deliveryCounts"
            variables={withoutStatus(address.where)}
            countsOf={({ pending, deadLettered, paused }) => ({
              PENDING: pending.totalCount,
              DEAD_LETTERED: deadLettered.totalCount,
              PAUSED: paused.totalCount,
            })}
            uncounted={['DELIVERED']}
          />
        )}
        actions={({ values, hrefWith }) => (
          <Needs access="support" act={words.value.delivery.replayMatching}>
            <ReplayMatching
              key={hrefWith(values)}
              values={values}
              onStarted={() => setRound((one) => one + 1)}
            />
          </Needs>
        )}
        columns={[
          { name: 'event', label: fields.event, cell: ({ event }) => event },
          {
            name: 'status',
            label: fields.status,
            cell: ({ status, nextAttemptAt }) => (
              <>
                <Status value={status} />
                <NextAttempt at={nextAttemptAt} />
              </>
            ),
          },
          { name: 'subject', label: fields.subject, cell: (row) => <Subject of={row} /> },
          { name: 'attempts', label: fields.attempts, isNumber: true, cell: ({ attempt }) => attempt },
          {
            name: 'error',
            label: fields.lastError,
            cell: ({ lastError, lastStatusCode }) =>
              lastError ? (
                <>
                  <CodeWords of={lastError} /> {lastStatusCode}
                </>
              ) : (
                <None />
              ),
          },
          { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
          {
            name: 'url',
            label: fields.url,
            cell: ({ url }) => <span title={url || common.none}>{hostOf(url)}</span>,
          },
        ]}
      />
      <Replays round={round} />
    </>
  );
}

function hostOf(url: string): string {
  return URL.parse?.(url)?.host ?? url;
}

/** The filter of the shown webhooks that may be sent again; undefined if none may, or if the list filters by endpoint: a replay selects by URL. */
function replayOf(values: FilterValues) {
  const wanted = chosen(values.status, STATUSES);
  const status = REPLAYABLE.filter((one) => wanted?.includes(one) ?? one === 'DEAD_LETTERED');
  return status.length === 0 || values.endpointId !== undefined
    ? undefined
    : defined({ status, event: values.event, createdAt: spanOf(values) });
}

interface ReplayMatchingProps {
  readonly values: FilterValues;
  readonly onStarted: () => void;
}

/** Sends all webhooks of the filtered list again, after counting them and asking for confirmation. */
function ReplayMatching({ values, onStarted }: ReplayMatchingProps) {
  const { delivery } = words.value;
  const [found, setFound] = useState<number>();
  const [pending, setPending] = useState<Pending>();
  const action = useAction('replayDeliveries');
  // The span up to now is the same for the count and for the start.
  const [input] = useState(() => replayOf(values));
  if (input === undefined) {
    return <span>{values.endpointId === undefined ? delivery.statusOnly : delivery.notByEndpoint}</span>;
  }
  const count = async () => {
    const payload = await action.run({ input: { ...input, dryRun: true } });
    setFound(payload?.found ?? undefined);
  };
  const start = async () => {
    const payload = await action.run({ input });
    if (payload) {
      const waiting = pendingOf(payload);
      setFound(undefined);
      setPending(waiting);
      if (waiting === undefined) {
        onStarted();
      }
    }
  };
  return (
    <>
      <button type="button" onClick={count} aria-disabled={action.isRunning}>
        {delivery.replayMatching}
      </button>
      {action.error && <Failed error={action.error} />}
      {pending && <PendingApproval {...pending} />}
      {found !== undefined && (
        <Confirm
          title={delivery.replayMatching}
          verb={delivery.start}
          isRunning={action.isRunning || found === 0}
          onConfirm={start}
          onClose={() => setFound(undefined)}
        >
          <p>
            {found === 0
              ? delivery.replayNone
              : delivery.replayCount(found, formatNumber(found, language.value))}
          </p>
          {chosen(values.status, STATUSES) === undefined && <p>{delivery.replayDead}</p>}
        </Confirm>
      )}
    </>
  );
}
