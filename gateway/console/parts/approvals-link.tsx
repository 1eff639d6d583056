import { PATHS } from '../screens/paths.ts';
import { words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { Icon } from './icon.tsx';

/** The greatest age of the number of open approvals. */
const FRESH_MS = 15_000;

/** The entry of approvals in the navigation, with the number of open ones; absent where no change needs any. */
export function ApprovalsLink({ isCurrent }: { readonly isCurrent: boolean }) {
  const { approvals: say } = words.value;
  const query = useQuery('openApprovals', {});
  useFresh(query, true, FRESH_MS);
  const { data } = query;
  const open = data?.approvals.length ?? 0;
  if (open === 0 && !data?.me.fourEyes.length && !isCurrent) {
    return null;
  }
  return (
    <li>
      <a href={PATHS.approvals} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name="approvals" />
        {say.title}
        {open > 0 && <span class="badge">{say.open(open)}</span>}
      </a>
    </li>
  );
}
