import { addressOf } from '../filters.ts';
import { formatNumber, formatShare } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { EndpointStatus } from '../parts/endpoint-status.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { None, Since } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { OverviewFigures } from './overview-figures.tsx';
import { PATHS, pathOf } from './paths.ts';
import { Sandbox } from './sandbox.tsx';

type Overview = DataOf<'overview'>;

export function Overview() {
  const query = useQuery('overview', {});
  useFresh(query);
  const { data, error, reload } = query;
  const { nav, overview } = words.value;
  return (
    <Page title={nav.overview}>
      {error && <Failed error={error} onRetry={reload} />}
      {!data && !error && <Loading place="cards" />}
      {data && (
        <div class="cards">
          <Card
            label={overview.deadLetters}
            count={data.deadLetters.totalCount}
            href={addressOf(PATHS.deliveries, { status: 'DEAD_LETTERED' })}
            isBad
          />
          <Card
            label={overview.stuck}
            count={data.stuck.totalCount}
            href={addressOf(PATHS.remittances, { isStuck: 'yes' })}
            isBad={data.stuck.nodes.some(({ nextAttemptAt }) => nextAttemptAt === null)}
          />
        </div>
      )}
      <OverviewFigures />
      {data && (
        <>
          <Stuck of={data.stuck.nodes} />
          <EndpointHealth of={data.me.webhookEndpoints} />
          <Sandbox />
        </>
      )}
    </Page>
  );
}

interface CardProps {
  readonly label: string;
  readonly count: number;
  readonly href: string;
  readonly isBad?: boolean;
}

/** A number that links to the records that it counts. */
function Card({ label, count, href, isBad = false }: CardProps) {
  return (
    <a class={`card ${isBad && count > 0 ? 'bad' : ''}`} href={href}>
      <strong>{formatNumber(count, language.value)}</strong>
      <span>{label}</span>
    </a>
  );
}

function Stuck({ of }: { readonly of: Overview['stuck']['nodes'] }) {
  const { overview, fields, values, empty } = words.value;
  return (
    <Section title={overview.stuck}>
      {of.length === 0 ? (
        <Empty>{empty.stuck}</Empty>
      ) : (
        <Table
          caption={overview.stuck}
          rows={of}
          keyOf={({ correlationId }) => correlationId}
          hrefOf={({ correlationId }) => pathOf.remittance(correlationId)}
          columns={[
            {
              name: 'id',
              label: fields.correlationId,
              cell: ({ correlationId }) => <code>{correlationId}</code>,
            },
            { name: 'phase', label: fields.phase, cell: ({ phase }) => values[phase] },
            { name: 'attempts', label: fields.attempts, isNumber: true, cell: ({ attempts }) => attempts },
            {
              name: 'error',
              label: fields.lastError,
              cell: ({ lastError }) =>
                lastError ? <span title={lastError.code}>{lastError.message}</span> : <None />,
            },
            { name: 'since', label: overview.since, cell: ({ createdAt }) => <Since of={createdAt} /> },
          ]}
        />
      )}
    </Section>
  );
}

function EndpointHealth({ of }: { readonly of: Overview['me']['webhookEndpoints'] }) {
  const { overview, fields, empty } = words.value;
  return (
    <Section title={overview.endpoints}>
      {of.length === 0 ? (
        <Empty next={['endpoints']}>{empty.endpoints}</Empty>
      ) : (
        <Table
          caption={overview.endpoints}
          rows={of}
          keyOf={({ id }) => id}
          hrefOf={() => PATHS.endpoints}
          columns={[
            { name: 'url', label: fields.url, cell: ({ url }) => url },
            {
              name: 'state',
              label: fields.status,
              cell: ({ health }) => <EndpointStatus of={health} />,
            },
            {
              name: 'rate',
              label: fields.successRate,
              isNumber: true,
              cell: ({ health }) =>
                health.successRate === null ? <None /> : formatShare(health.successRate, language.value),
            },
            {
              name: 'pending',
              label: fields.pending,
              isNumber: true,
              cell: ({ health }) => formatNumber(health.pending, language.value),
            },
            {
              name: 'due',
              label: fields.oldestDueAt,
              cell: ({ health }) => (health.oldestDueAt ? <Since of={health.oldestDueAt} /> : <None />),
            },
          ]}
        />
      )}
    </Section>
  );
}
