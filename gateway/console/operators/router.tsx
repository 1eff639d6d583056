import { useEffect } from 'preact/hooks';
import { Route, Router, useLocation } from 'preact-iso';
import { NoAccess, NoScreen } from '../screens/no-screen.tsx';
import { isOfPartners, PATHS, PLATFORM_PATHS } from '../screens/paths.ts';
import { EventLogScreen } from './events.tsx';
import { Leases } from './leases.tsx';
import { OperatorLog } from './operator-log.tsx';
import { Processes } from './processes.tsx';
import { Queues } from './queues.tsx';
import { Settings } from './settings-screen.tsx';
import { StuckCalls } from './stuck.tsx';
import { Tenants } from './tenants.tsx';

/** The screens of the platform's operators. They are loaded separately, because partners do not need them. */
export function OperatorsRouter() {
  return (
    <Router>
      <Route path={PATHS.overview} component={Begin} />
      <Route path={PLATFORM_PATHS.tenants} component={Tenants} />
      <Route path={PLATFORM_PATHS.stuckCalls} component={StuckCalls} />
      <Route path={PLATFORM_PATHS.queues} component={Queues} />
      <Route path={PLATFORM_PATHS.leases} component={Leases} />
      <Route path={PLATFORM_PATHS.events} component={EventLogScreen} />
      <Route path={PLATFORM_PATHS.processes} component={Processes} />
      <Route path={PLATFORM_PATHS.settings} component={Settings} />
      <Route path={PLATFORM_PATHS.operatorLog} component={OperatorLog} />
      <Route default component={Other} />
    </Router>
  );
}

/** A link of the command line leads to the console's root. */
function Begin() {
  const { route } = useLocation();
  useEffect(() => route(PLATFORM_PATHS.tenants, true), [route]);
  return null;
}

function Other() {
  const { path } = useLocation();
  return isOfPartners(path) ? <NoAccess /> : <NoScreen />;
}
