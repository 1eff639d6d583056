import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { isPlatform } from '../session.tsx';
import { words } from '../settings.tsx';
import { PATHS, PLATFORM_PATHS } from './paths.ts';

/** Shown for an address without a screen. */
export function NoScreen() {
  return (
    <Page title={words.value.states.noScreen}>
      <Empty>
        <WayOut />
      </Empty>
    </Page>
  );
}

/** A screen of another kind of session: of the platform's operators for a partner, and the other way round. */
export function NoAccess() {
  const { states } = words.value;
  return (
    <Page title={states.noAccess}>
      <Empty>
        {isPlatform() ? states.ofPartners : states.ofOperators} <WayOut />
      </Empty>
    </Page>
  );
}

function WayOut() {
  const { nav } = words.value;
  return isPlatform() ? (
    <a href={PLATFORM_PATHS.tenants}>{nav.tenants}</a>
  ) : (
    <a href={PATHS.overview}>{nav.overview}</a>
  );
}
