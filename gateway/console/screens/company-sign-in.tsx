import { useState } from 'preact/hooks';
import { signInAt } from '../session.tsx';
import { words } from '../settings.tsx';

/** The form of a tenant's id. */
const PARTNER_ID = '[A-Za-z0-9_\\-]{1,64}';

/**
 * Leads to the sign-in of the person's company. It asks for no password: the company's own page does. The environment is the one that
 * the address names, such as `/console/?environment=sandbox`.
 */
export function CompanySignIn() {
  const { companySignIn: say, values } = words.value;
  const [partner, setPartner] = useState('');
  const [isSandbox, setSandbox] = useState(
    () => new URLSearchParams(location.search).get('environment') === 'sandbox',
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signInAt(partner.trim(), isSandbox ? 'sandbox' : 'live');
      }}
    >
      <h2>{say.title}</h2>
      <p>
        <label for="partner">{say.partner}</label>
        <input
          id="partner"
          required
          pattern={PARTNER_ID}
          autocomplete="organization"
          spellcheck={false}
          value={partner}
          onInput={({ currentTarget }) => setPartner(currentTarget.value)}
        />
      </p>
      <p>
        <label for="environment">{say.environment}</label>
        <select
          id="environment"
          value={isSandbox ? 'sandbox' : 'live'}
          onChange={({ currentTarget }) => setSandbox(currentTarget.value === 'sandbox')}
        >
          <option value="live">{values.LIVE}</option>
          <option value="sandbox">{values.SANDBOX}</option>
        </select>
      </p>
      <p class="actions">
        <button type="submit">{say.go}</button>
      </p>
    </form>
  );
}
