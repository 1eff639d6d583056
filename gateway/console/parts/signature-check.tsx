import { useState } from 'preact/hooks';
import { words } from '../settings.tsx';
import { checkSignature, type SignatureVerdict } from '../signature.ts';
import { Section } from './page.tsx';

/** Checks whether a signature belongs to a body and a secret. All values stay in the page. */
export function SignatureCheck() {
  const { endpointActs, fields } = words.value;
  const { signatureCheck: say } = endpointActs;
  const [secret, setSecret] = useState('');
  const [signature, setSignature] = useState('');
  const [timestamp, setTimestamp] = useState('');
  const [id, setId] = useState('');
  const [body, setBody] = useState('');
  const [verdict, setVerdict] = useState<SignatureVerdict>();
  if (!isSecureContext) {
    // Browsers compute no signatures on a page that came over plain HTTP.
    return null;
  }
  const check = async () =>
    setVerdict(await checkSignature({ secret, signature, timestamp, id, body }, crypto.subtle));
  return (
    <Section title={say.verb}>
      <p>{say.how}</p>
      <form
        class="check-signature"
        // A verdict is valid only for the checked values.
        onInput={() => setVerdict(undefined)}
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <label for="check-secret">{fields.secret}</label>
        <input
          id="check-secret"
          type="password"
          autocomplete="off"
          required
          value={secret}
          onInput={({ currentTarget }) => setSecret(currentTarget.value)}
        />
        <label for="check-signature">{say.signature}</label>
        <input
          id="check-signature"
          required
          value={signature}
          onInput={({ currentTarget }) => setSignature(currentTarget.value)}
        />
        <label for="check-timestamp">{say.timestamp}</label>
        <input
          id="check-timestamp"
          value={timestamp}
          onInput={({ currentTarget }) => setTimestamp(currentTarget.value)}
        />
        <label for="check-id">{say.messageId}</label>
        <input id="check-id" value={id} onInput={({ currentTarget }) => setId(currentTarget.value)} />
        <label for="check-body">{fields.body}</label>
        <textarea
          id="check-body"
          rows={4}
          value={body}
          onInput={({ currentTarget }) => setBody(currentTarget.value)}
        />
        <p class="actions">
          <button type="submit">{say.verb}</button>
          <span role="status">{verdict && say[verdict]}</span>
        </p>
      </form>
    </Section>
  );
}
