import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { type NamedValue, Status } from '../parts/values.tsx';
import { searchText } from '../search-text.tsx';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import { type FoundNode, foundOf } from './found.ts';

/**
 * The records that match the searched text, which a person typed or a link of the console contains. A single match is
 * opened at once.
 */
export function Search() {
  const { query } = useLocation();
  const text = query.text ?? searchText.value;
  return text === '' ? <NothingSearched /> : <Results text={text} />;
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
  const found = data?.search.map(({ node }) => ({ ...foundOf(node), ...kindOf(node) }));
  const only = found?.length === 1 ? found[0]?.href : undefined;
  useEffect(() => {
    if (only !== undefined) {
      route(only, true);
    }
  }, [only, route]);
  return (
    <Page title={`${common.searchResults} “${text}”`}>
      {error && <Failed error={error} onRetry={reload} />}
      {!found && !error && <Loading />}
      {found?.length === 0 && <Empty>{common.noResults}</Empty>}
      <ul class="results">
        {found?.map(({ kind, text: shown, href, status }) => (
          <li key={href}>
            <span class="kind">{kind}</span>
            <a href={href}>
              <code>{shown}</code>
            </a>
            {status && <Status value={status} />}
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** The kind of the record, and its status if it has one. */
function kindOf(node: FoundNode): { readonly kind: string; readonly status?: NamedValue } {
  const { fields, nav, values } = words.value;
  switch (node.__typename) {
    case 'Operation':
      return { kind: fields.operation, status: node.operationStatus };
    case 'RequestMoney':
      return { kind: fields.moneyRequest, status: node.requestStatus };
    case 'Remittance':
      return { kind: fields.remittance, status: node.remittanceStatus };
    case 'Reservation':
      return { kind: fields.reservation, status: node.reservationStatus };
    case 'User':
      return { kind: fields.user };
    case 'Contact':
      return { kind: values.CONTACT };
    case 'PaymentMethod':
      return { kind: values.PAYMENT_METHOD };
    case 'Link':
      return { kind: fields.link, status: node.linkStatus };
    case 'WebhookDelivery':
      return { kind: nav.deliveries, status: node.deliveryStatus };
  }
}
