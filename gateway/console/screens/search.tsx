import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ConsoleCallFailureFragment } from '../documents/types.ts';
import type { Amount } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Money, type NamedValue, Status, Time } from '../parts/values.tsx';
import { searched } from '../search-text.tsx';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import { FailedCallList, Refusal } from './failed-calls.tsx';
import { type FoundNode, foundOf } from './found.ts';

type Match = DataOf<'search'>['search'][number];

/**
 * The records that match the searched text, which a person typed or a link of the console contains. A single match is
 * opened at once, except a webhook about a failed call: the call itself matters more.
 */
export function Search() {
  const { query } = useLocation();
  const { text: typed, number } = searched.value;
  const text = query.text ?? typed;
  return text === '' ? <NothingSearched /> : <Results key={number} text={text} />;
}

/** After a reload, the searched text is gone. */
function NothingSearched() {
  const { common } = words.value;
  return (
    <Page title={common.search}>
      <Empty>{common.searchHow}</Empty>
    </Page>
  );
}

function Results({ text }: { readonly text: string }) {
  const { route } = useLocation();
  const { data, error, reload } = useQuery('search', { text });
  const { common } = words.value;
  const found = data?.search.map(({ node }): Line => ({ ...foundOf(node), ...kindOf(node) }));
  const hasRecord = data?.search.some(({ node }) => node.__typename !== 'WebhookDelivery') ?? true;
  const only = found?.length === 1 && !data?.search.some(isOfFailedCall) ? found[0]?.href : undefined;
  useEffect(() => {
    if (only !== undefined) {
      route(only, true);
    }
  }, [only, route]);
  return (
    <Page title={`${common.searchResults} “${text}”`} tab={common.search}>
      {error && <Failed error={error} onRetry={reload} />}
      {!found && !error && <Loading place="rows" />}
      {found && !hasRecord && (
        <FailedCallList
          reference={text.trim()}
          otherwise={found.length === 0 && <Empty next={['users']}>{common.noResults}</Empty>}
        />
      )}
      <ul class="results">
        {found?.map(({ kind, text: shown, href, status, amount, at, failure }) => (
          <li key={href}>
            <span class="kind">{kind}</span>
            <a href={href}>
              <code>{shown}</code>
            </a>
            <span>
              {status && <Status value={status} />} {amount && <Money of={amount} />} {at && <Time of={at} />}{' '}
              {failure && <Refusal of={failure} />}
            </span>
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** Whether a webhook was found by the reference that a failed call named. */
function isOfFailedCall({ node, matchedBy }: Match): boolean {
  return node.__typename === 'WebhookDelivery' && matchedBy.includes('REFERENCE_ID');
}

/** A result: the kind of the record and, if it has them, its status, its amount, its time, and the failure that a webhook is about. */
interface Kind {
  readonly kind: string;
  readonly status?: NamedValue;
  readonly amount?: Amount;
  readonly at?: string;
  readonly failure?: ConsoleCallFailureFragment | null;
}
type Line = Kind & ReturnType<typeof foundOf>;

function kindOf(node: FoundNode): Kind {
  const { fields, nav, values } = words.value;
  switch (node.__typename) {
    case 'Operation': {
      const { operationStatus: status, recipient: amount, createdAt: at } = node;
      return { kind: fields.operation, status, amount, at };
    }
    case 'RequestMoney': {
      const { requestStatus: status, amount, createdAt: at } = node;
      return { kind: fields.moneyRequest, status, amount, at };
    }
    case 'Remittance': {
      const { remittanceStatus: status, recipient: amount, createdAt: at } = node;
      return { kind: fields.remittance, status, amount, at };
    }
    case 'Reservation': {
      const { reservationStatus: status, recipient: amount, createdAt: at } = node;
      return { kind: fields.reservation, status, amount, at };
    }
    case 'User':
      return { kind: fields.user };
    case 'Contact':
      return { kind: values.CONTACT };
    case 'PaymentMethod':
      return { kind: values.PAYMENT_METHOD };
    case 'Link':
      return { kind: fields.link, status: node.linkStatus };
    case 'WebhookDelivery':
      return { kind: nav.deliveries, status: node.deliveryStatus, failure: node.failure };
  }
}
