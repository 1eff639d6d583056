import { Page } from '../parts/page.tsx';
import {
  begin,
  keepSession,
  type Session,
  type SessionState,
  type SignedOutReason,
  signInBy,
} from '../session.tsx';
import { words } from '../settings.tsx';
import { CompanySignIn } from './company-sign-in.tsx';

/** The screen before sign-in. The console has no passwords: a person signs in with the company's account, or by a link. */
export function SignIn({ because }: Omit<Extract<SessionState, { name: 'signed-out' }>, 'name'>) {
  const { signIn, states } = words.value;
  return (
    <main id="content" class="sign-in">
      <Page title={signIn.title}>
        {because && <p role="alert">{reasonOf(because)}</p>}
        {because === 'offline' && (
          <button type="button" onClick={() => void begin()}>
            {states.retry}
          </button>
        )}
        <CompanySignIn />
        <p>{signIn.how}</p>
        <p>
          {signIn.operator} <code>remitgraph admin console-link</code>. {signIn.partner}
        </p>
      </Page>
    </main>
  );
}

function reasonOf(because: SignedOutReason): string {
  const { failed, ended, offline } = words.value.signIn;
  const { refused } = words.value.companySignIn;
  const reasons: Readonly<Record<SignedOutReason, string>> = {
    code: failed,
    ended,
    offline,
    'sign-in-unknown': refused.unknown,
    'sign-in-expired': refused.expired,
    'sign-in-offline': refused.offline,
    'sign-in-denied': refused.denied,
    'sign-in-invalid': refused.invalid,
    'sign-in-clock': refused.clock,
    'sign-in-role': refused.role,
  };
  return reasons[because];
}

interface ChooseSessionProps {
  readonly session: Session;
  readonly code: string;
}

/** Asks for confirmation before a link replaces the running session. */
export function ChooseSession({ session, code }: ChooseSessionProps) {
  const { signIn } = words.value;
  return (
    <main id="content" class="sign-in">
      <Page title={signIn.chooseTitle}>
        <p>{signIn.choose(placeOf(session))}</p>
        <p class="actions">
          <button type="button" onClick={() => keepSession(session)}>
            {signIn.keep}
          </button>
          <button type="button" onClick={() => void signInBy(code)}>
            {signIn.replace}
          </button>
        </p>
      </Page>
    </main>
  );
}

interface RefusedSignInProps {
  readonly session: Session;
  readonly because: SignedOutReason;
}

/** Shows why a sign-in was refused, and leads back to the session that the browser still has. */
export function RefusedSignIn({ session, because }: RefusedSignInProps) {
  const { signIn, notices } = words.value;
  return (
    <main id="content" class="sign-in">
      <Page title={signIn.chooseTitle}>
        <p role="alert">{reasonOf(because)}</p>
        <p>{notices.stillSignedIn(placeOf(session))}</p>
        <p class="actions">
          <button type="button" onClick={() => keepSession(session)}>
            {signIn.keep}
          </button>
        </p>
      </Page>
    </main>
  );
}

/** The partner and the environment of a session, for people. */
function placeOf(session: Session): string {
  const { operators, values } = words.value;
  return session.partner === null
    ? operators.platform
    : `${session.partner.name} (${values[session.environment === 'live' ? 'LIVE' : 'SANDBOX']})`;
}
