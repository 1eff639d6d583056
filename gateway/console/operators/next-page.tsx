import type { ListAddress } from '../parts/list-frame.tsx';
import { words } from '../settings.tsx';

interface NextPageProps {
  readonly address: ListAddress;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Links to the next page and to the first one, for lists that are read only forwards. */
export function NextPage({ address, pageInfo: { hasNextPage, endCursor } }: NextPageProps) {
  const { operators } = words.value;
  return (
    <nav class="pager" aria-label={operators.next}>
      {address.position.after && <a href={address.hrefOf({})}>{operators.first}</a>}
      {hasNextPage && endCursor && <a href={address.hrefOf({ after: endCursor })}>{operators.next}</a>}
    </nav>
  );
}
