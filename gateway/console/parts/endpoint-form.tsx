import { WebhookSignatureScheme } from '../documents/types.ts';
import { words } from '../settings.tsx';

/** The values of an endpoint that a person edits. */
export interface EndpointValues {
  readonly url: string;
  readonly description: string;
  /** null: all events. */
  readonly events: readonly string[] | null;
  /** The version of the event catalogue; null: the newest one, for a new endpoint. */
  readonly eventVersion: number | null;
  readonly signatureScheme: WebhookSignatureScheme;
  /** The partner's own headers, one on each line. */
  readonly headers: string;
}

interface EndpointFieldsProps {
  /** Begins the ids of the fields: a page has several of these forms. */
  readonly id: string;
  readonly values: EndpointValues;
  readonly eventNames: readonly string[];
  /** The versions of the event catalogue that can be chosen, oldest first. */
  readonly eventVersions: readonly number[];
  /** Whether it is the endpoint of the documented configuration, which has no description and names its events. */
  readonly isFirst: boolean;
  readonly onChange: (values: EndpointValues) => void;
}

const SCHEMES = Object.values(WebhookSignatureScheme);

/** The fields of an endpoint: URL, description, signature scheme, own headers, events, and their version when there are several. */
export function EndpointFields(props: EndpointFieldsProps) {
  const { id, values, eventNames, eventVersions, isFirst, onChange } = props;
  const { fields, endpointActs: say } = words.value;
  const { url, description, events, eventVersion, signatureScheme, headers } = values;
  // An endpoint may still have a version that has ended: it is shown, and cannot be chosen again.
  const versions = eventVersionsWith(eventVersions, eventVersion);
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
      <SelectField
        id={`${id}-scheme`}
        label={say.scheme}
        chosen={signatureScheme}
        choices={SCHEMES}
        textOf={(scheme) => say.schemes[scheme]}
        onChange={(chosen) => onChange({ ...values, signatureScheme: chosen })}
      />
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
      {versions.length > 1 && (
        <>
          <SelectField
            id={`${id}-version`}
            label={say.eventVersion}
            chosen={eventVersion ?? Math.max(...eventVersions)}
            choices={versions}
            isOffered={(version) => eventVersions.includes(version)}
            textOf={String}
            onChange={(chosen) => onChange({ ...values, eventVersion: chosen })}
          />
          <p>{say.eventVersionHow}</p>
        </>
      )}
      <EventsField
        chosen={events}
        names={eventNames}
        canBeAll={!isFirst}
        onChange={(chosen) => onChange({ ...values, events: chosen })}
      />
    </>
  );
}

/** The versions that can be chosen, and that of an endpoint, oldest first. */
export function eventVersionsWith(offered: readonly number[], own: number | null): readonly number[] {
  return own === null || offered.includes(own) ? offered : [...offered, own].toSorted((a, b) => a - b);
}

interface SelectFieldProps<Value extends string | number> {
  readonly id: string;
  readonly label: string;
  readonly chosen: Value;
  readonly choices: readonly Value[];
  readonly textOf: (value: Value) => string;
  /** Default: every choice is. */
  readonly isOffered?: (value: Value) => boolean;
  readonly onChange: (value: Value) => void;
}

function SelectField<Value extends string | number>(props: SelectFieldProps<Value>) {
  const { id, label, chosen, choices, textOf, isOffered = () => true, onChange } = props;
  return (
    <p>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={chosen}
        onChange={({ currentTarget }) => {
          const value = choices[currentTarget.selectedIndex];
          if (value !== undefined) {
            onChange(value);
          }
        }}
      >
        {choices.map((value) => (
          <option key={value} value={value} disabled={!isOffered(value)}>
            {textOf(value)}
          </option>
        ))}
      </select>
    </p>
  );
}

interface EventsFieldProps {
  /** null: all events. */
  readonly chosen: readonly string[] | null;
  readonly names: readonly string[];
  readonly canBeAll: boolean;
  readonly onChange: (chosen: readonly string[] | null) => void;
}

function EventsField({ chosen, names, canBeAll, onChange }: EventsFieldProps) {
  const { endpointActs: say } = words.value;
  const toggle = (name: string, isOn: boolean) =>
    onChange(names.filter((one) => (one === name ? isOn : chosen?.includes(one))));
  return (
    <fieldset class="events">
      <legend>{say.events}</legend>
      {canBeAll && (
        <label class="check">
          <input
            type="checkbox"
            checked={chosen === null}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : [...names])}
          />
          {say.allEvents}
        </label>
      )}
      {chosen !== null &&
        names.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
            />
            <code>{name}</code>
          </label>
        ))}
    </fieldset>
  );
}
