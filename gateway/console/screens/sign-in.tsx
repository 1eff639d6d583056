import { Page } from '../parts/page.tsx';
import { begin, keepSession, type Session, type SessionState, signInBy } from '../session.tsx';
import { words } from '../settings.tsx';

/** The screen before sign-in. It has no form, because the console has no passwords. */
export function SignIn({ because }: Omit<Extract<SessionState, { name: 'signed-out' }>, 'name'>) {
  const { signIn, states } = words.value;
  const reasons = { code: signIn.failed, ended: signIn.ended, offline: signIn.offline };
  return (
    <main id="content" class="sign-in">
      <Page title={signIn.title}>
        {because && <p role="alert">{reasons[because]}</p>}
        {because === 'offline' && (
          <button type="button" onClick={() => void begin()}>
            {states.retry}
          </button>
        )}
        <p>{signIn.how}</p>
        <p>
          {signIn.operator} <code>remitgraph admin console-link</code>. {signIn.partner}
        </p>
      </Page>
    </main>
  );
}

interface ChooseSessionProps {
  readonly session: Session;
  readonly code: string;
}

/** Asks for confirmation before a link replaces the running session. */
export function ChooseSession({ session, code }: ChooseSessionProps) {
  const { signIn, operators, values } = words.value;
  const present =
    session.partner === null
      ? operators.platform
      : `${session.partner.name} (${values[session.environment === 'live' ? 'LIVE' : 'SANDBOX']})`;
  return (
    <main id="content" class="sign-in">
      <Page title={signIn.chooseTitle}>
        <p>{signIn.choose(present)}</p>
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
