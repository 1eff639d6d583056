import { WebhookSignatureScheme } from '../documents/types.ts';
import { words } from '../settings.tsx';

/** The values of an endpoint that a person edits. */
export interface EndpointValues {
  readonly url: string;
  readonly description: string;
  /** null: all events. */
  readonly events: readonly string[] | null;
  readonly signatureScheme: WebhookSignatureScheme;
  /** The partner's own headers, one on each line. */
  readonly headers: string;
}

interface EndpointFieldsProps {
  /** Begins the ids of the fields: a page has several of these forms. */
  readonly id: string;
  readonly values: EndpointValues;
  readonly eventNames: readonly string[];
  /** Whether it is the endpoint of the documented configuration, which has no description and names its events. */
  readonly isFirst: boolean;
  readonly onChange: (values: EndpointValues) => void;
}

const SCHEMES = Object.values(WebhookSignatureScheme);

/** The fields of an endpoint: URL, description, signature scheme, own headers and events. */
export function EndpointFields({ id, values, eventNames, isFirst, onChange }: EndpointFieldsProps) {
  const { fields, endpointActs: say } = words.value;
  const { url, description, events, signatureScheme, headers } = values;
  const toggle = (name: string, isOn: boolean) =>
    onChange({
      ...values,
      events: eventNames.filter((one) => (one === name ? isOn : events?.includes(one))),
    });
  return (
    <>
      <p>
        <label for={`${id}-url`}>{fields.url}</label>
        <input
          id={`${id}-url`}
          type="url"
          required
          maxLength={2048}
          pattern="[hH][tT][tT][pP][sS]://.+"
          autocomplete="off"
          spellcheck={false}
          value={url}
          onInput={({ currentTarget }) => onChange({ ...values, url: currentTarget.value })}
        />
      </p>
      {!isFirst && (
        <p>
          <label for={`${id}-description`}>{say.description}</label>
          <input
            id={`${id}-description`}
            maxLength={200}
            value={description}
            onInput={({ currentTarget }) => onChange({ ...values, description: currentTarget.value })}
          />
        </p>
      )}
      <p>
        <label for={`${id}-scheme`}>{say.scheme}</label>
        <select
          id={`${id}-scheme`}
          value={signatureScheme}
          onChange={({ currentTarget }) => {
            const chosen = SCHEMES[currentTarget.selectedIndex];
            if (chosen) {
              onChange({ ...values, signatureScheme: chosen });
            }
          }}
        >
          {SCHEMES.map((scheme) => (
            <option key={scheme} value={scheme}>
              {say.schemes[scheme]}
            </option>
          ))}
        </select>
      </p>
      {signatureScheme !== 'DOCUMENTED' && <p>{say.schemeHow[signatureScheme]}</p>}
      <p>
        <label for={`${id}-headers`}>{say.headers}</label>
        <textarea
          id={`${id}-headers`}
          rows={2}
          autocomplete="off"
          spellcheck={false}
          value={headers}
          onInput={({ currentTarget }) => onChange({ ...values, headers: currentTarget.value })}
        />
      </p>
      <fieldset class="events">
        <legend>{say.events}</legend>
        {!isFirst && (
          <label class="check">
            <input
              type="checkbox"
              checked={events === null}
              onChange={({ currentTarget }) =>
                onChange({ ...values, events: currentTarget.checked ? null : [...eventNames] })
              }
            />
            {say.allEvents}
          </label>
        )}
        {events !== null &&
          eventNames.map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={events.includes(name)}
                onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
              />
              <code>{name}</code>
            </label>
          ))}
      </fieldset>
    </>
  );
}
