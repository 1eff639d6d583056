import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { loadLater } from './parts/load-later.tsx';
import { Shell } from './parts/shell.tsx';
import { ROOT } from './root.ts';
import { MoneyRequestScreen } from './screens/money-request.tsx';
import { MoneyRequests } from './screens/money-requests.tsx';
import { NoAccess, NoScreen } from './screens/no-screen.tsx';
import { OperationScreen } from './screens/operation.tsx';
import { Operations } from './screens/operations.tsx';
import { Overview } from './screens/overview.tsx';
import { isOfOperators, PATHS, RESERVATIONS } from './screens/paths.ts';
import { RemittanceScreen } from './screens/remittance.tsx';
import { Remittances } from './screens/remittances.tsx';
import { ChooseSession, RefusedSignIn, SignIn } from './screens/sign-in.tsx';
import { isPlatform, session } from './session.tsx';
import { words } from './settings.tsx';

const Operators = loadLater(
  () => import('./operators/router.tsx'),
  ({ OperatorsRouter }) => OperatorsRouter,
);

const administration = () => import('./screens/administration.tsx');
const Approvals = loadLater(administration, (screens) => screens.Approvals);
const Discrepancies = loadLater(administration, (screens) => screens.Discrepancies);
const Endpoints = loadLater(administration, (screens) => screens.Endpoints);
const Keys = loadLater(administration, (screens) => screens.Keys);
const Requests = loadLater(administration, (screens) => screens.Requests);
const Sessions = loadLater(administration, (screens) => screens.Sessions);
const StatementScreen = loadLater(administration, (screens) => screens.StatementScreen);
const Statements = loadLater(administration, (screens) => screens.Statements);

const webhooks = () => import('./screens/webhooks.tsx');
const Deliveries = loadLater(webhooks, (screens) => screens.Deliveries);
const DeliveryScreen = loadLater(webhooks, (screens) => screens.DeliveryScreen);

const people = () => import('./screens/people.tsx');
const LinkScreen = loadLater(people, (screens) => screens.LinkScreen);
const Links = loadLater(people, (screens) => screens.Links);
const ReservationScreen = loadLater(people, (screens) => screens.ReservationScreen);
const Search = loadLater(people, (screens) => screens.Search);
const UserScreen = loadLater(people, (screens) => screens.UserScreen);
const Users = loadLater(people, (screens) => screens.Users);

/** The console. It shows nothing before sign-in. */
export function App() {
  const state = session.value;
  if (state.name === 'working') {
    return (
      <main class="sign-in">
        <p role="status">{words.value.signIn.working}</p>
      </main>
    );
  }
  if (state.name === 'signed-out') {
    return <SignIn {...(state.because && { because: state.because })} />;
  }
  if (state.name === 'choosing') {
    return <ChooseSession session={state.session} code={state.code} />;
  }
  if (state.name === 'refused') {
    return <RefusedSignIn session={state.session} because={state.because} />;
  }
  return (
    // A new session reads all data again, because it may belong to another partner.
    <LocationProvider key={state.session.id} scope={ROOT}>
      <Shell>{isPlatform() ? <Operators /> : <PartnersRouter />}</Shell>
    </LocationProvider>
  );
}

function PartnersRouter() {
  return (
    <Router>
      <Route path={PATHS.overview} component={Overview} />
      <Route path={PATHS.operations} component={Operations} />
      <Route path={`${PATHS.operations}/:id`} component={OperationScreen} />
      <Route path={PATHS.moneyRequests} component={MoneyRequests} />
      <Route path={`${PATHS.moneyRequests}/:id`} component={MoneyRequestScreen} />
      <Route path={PATHS.remittances} component={Remittances} />
      <Route path={`${PATHS.remittances}/:id`} component={RemittanceScreen} />
      <Route path={`${RESERVATIONS}/:id`} component={ReservationScreen} />
      <Route path={PATHS.statements} component={Statements} />
      <Route path={`${PATHS.statements}/:id`} component={StatementScreen} />
      <Route path={PATHS.discrepancies} component={Discrepancies} />
      <Route path={PATHS.deliveries} component={Deliveries} />
      <Route path={`${PATHS.deliveries}/:id`} component={DeliveryScreen} />
      <Route path={PATHS.endpoints} component={Endpoints} />
      <Route path={PATHS.users} component={Users} />
      <Route path={`${PATHS.users}/:id`} component={UserScreen} />
      <Route path={PATHS.links} component={Links} />
      <Route path={`${PATHS.links}/:id`} component={LinkScreen} />
      <Route path={PATHS.keys} component={Keys} />
      <Route path={PATHS.approvals} component={Approvals} />
      <Route path={PATHS.requests} component={Requests} />
      <Route path={PATHS.sessions} component={Sessions} />
      <Route path={PATHS.search} component={Search} />
      <Route default component={Other} />
    </Router>
  );
}

function Other() {
  const { path } = useLocation();
  return isOfOperators(path) ? <NoAccess /> : <NoScreen />;
}
