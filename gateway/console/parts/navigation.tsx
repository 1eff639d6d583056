import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Words } from '../language/en.ts';
import { isIn, PATHS, PLATFORM_PATHS } from '../screens/paths.ts';
import { isAdmin, isPlatform } from '../session.tsx';
import { words } from '../settings.tsx';
import { useDismissal } from '../use-dismissal.tsx';
import { ApprovalsLink } from './approvals-link.tsx';
import { Icon } from './icon.tsx';

type Group = keyof Words['navigation']['groups'];
interface Entry {
  readonly name: PartnerScreen | (typeof PLATFORM_SCREENS)[number];
  readonly href: string;
}

type PartnerScreen = Exclude<keyof typeof PATHS, 'search' | 'approvals'>;

/** The screens of partners by subject; the first group has no title. */
const GROUPS: readonly (readonly [group: Group | undefined, screens: readonly PartnerScreen[]])[] = [
  [undefined, ['overview']],
  ['payments', ['operations', 'moneyRequests', 'remittances', 'statements', 'discrepancies']],
  ['webhooks', ['deliveries', 'endpoints']],
  ['people', ['users', 'links']],
  ['access', ['requests', 'keys', 'sessions']],
];
/** Groups that only an administrator may see. */
const ADMIN_GROUPS: readonly (Group | undefined)[] = ['access'];
/** Screens of the platform's operators. */
const PLATFORM_SCREENS = [
  'tenants',
  'stuckCalls',
  'queues',
  'leases',
  'events',
  'processes',
  'settings',
  'operatorLog',
] as const;

/** Links to all screens. A narrow window hides them behind a button, which stands in the same place on each screen. */
export function Navigation() {
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLElement>(null);
  useDismissal(menu, () => setOpen(false));
  const { nav, navigation } = words.value;
  return (
    <nav ref={menu} class={`screens ${isOpen ? 'open' : ''}`} aria-label={nav.label}>
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen}
        aria-controls="screens"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="menu" /> {navigation.menu}
      </button>
      <div id="screens">
        {groupsOfSession().map(([group, entries]) => (
          <GroupOf key={group ?? ''} group={group} entries={entries} path={path} />
        ))}
      </div>
    </nav>
  );
}

function groupsOfSession(): (readonly [group: Group | undefined, entries: readonly Entry[]])[] {
  if (isPlatform()) {
    return [[undefined, PLATFORM_SCREENS.map((name) => ({ name, href: PLATFORM_PATHS[name] }))]];
  }
  return GROUPS.filter(([group]) => isAdmin() || !ADMIN_GROUPS.includes(group)).map(([group, screens]) => [
    group,
    screens.map((name) => ({ name, href: PATHS[name] })),
  ]);
}

interface GroupProps {
  readonly group: Group | undefined;
  readonly entries: readonly Entry[];
  readonly path: string;
}

function GroupOf({ group, entries, path }: GroupProps) {
  const { nav, navigation } = words.value;
  const title = group && navigation.groups[group];
  return (
    <>
      {title && (
        <p class="group" aria-hidden="true">
          {title}
        </p>
      )}
      <ul aria-label={title}>
        {entries.map(({ name, href }) => (
          <li key={name}>
            <a href={href} aria-current={isIn(path, href) ? 'page' : undefined}>
              <Icon name={name} />
              {nav[name]}
            </a>
          </li>
        ))}
        {group === 'access' && <ApprovalsLink isCurrent={isIn(path, PATHS.approvals)} />}
      </ul>
    </>
  );
}
