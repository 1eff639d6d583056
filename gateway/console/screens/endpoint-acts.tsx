import { useState } from 'preact/hooks';
import { formatNumber } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { readHeaders, writeHeaders } from '../own-headers.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Secret } from '../parts/dialog.tsx';
import { EndpointFields, type EndpointValues } from '../parts/endpoint-form.tsx';
import { Needs } from '../parts/needs.tsx';
import { CodeWords, Status } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { pathOf } from './paths.ts';

export type Endpoint = DataOf<'endpoints'>['me']['webhookEndpoints'][number];

/** The id of the endpoint of the documented configuration. */
const FIRST = 'first';

/** The events and versions that an endpoint can choose. */
export interface EventChoices {
  readonly eventNames: readonly string[];
  /** Versions of the event catalogue that can be chosen, oldest first. */
  readonly eventVersions: readonly number[];
}

interface AddProps extends EventChoices {
  readonly onDone: () => void;
}

/** Adds an endpoint; its secret is shown once. */
export function AddEndpoint({ eventNames, eventVersions, onDone }: AddProps) {
  const { endpointActs: say, endpoint } = words.value;
  const [values, setValues] = useState<EndpointValues>(NEW);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <ConfirmedAction
        document="createEndpoint"
        variables={{
          input: {
            ...values,
            events: values.events && [...values.events],
            headers: readHeaders(values.headers),
          },
        }}
        verb={say.add}
        icon="add"
        onDone={({ webhookSecret }) => {
          setSecret(webhookSecret ?? undefined);
          setValues(NEW);
          onDone();
        }}
      >
        <p>{say.addHow}</p>
        <EndpointFields
          id="new-endpoint"
          values={values}
          eventNames={eventNames}
          eventVersions={eventVersions}
          isFirst={false}
          onChange={setValues}
        />
      </ConfirmedAction>
      {secret !== undefined && (
        <Secret title={say.add} text={secret} onClose={() => setSecret(undefined)}>
          {endpoint.newSecret}
        </Secret>
      )}
    </>
  );
}

const NEW: EndpointValues = {
  url: '',
  description: '',
  events: null,
  eventVersion: null,
  signatureScheme: 'DOCUMENTED',
  headers: '',
};

interface EndpointActProps {
  readonly endpoint: Endpoint;
  readonly onDone: () => void;
}

interface EditProps extends EventChoices {
  readonly endpoint: Endpoint;
  /** @param isMoved whether the URL has changed */
  readonly onDone: (isMoved: boolean) => void;
}

/**
 * Changes URL, description, signature scheme, own headers, events and their version. The first endpoint is changed by the documented configuration, which only
 * admins may change.
 */
export function EditEndpoint(props: EditProps) {
  return (
    <Needs access={props.endpoint.id === FIRST ? 'admin' : 'operate'} act={words.value.endpointActs.edit}>
      <EditAction {...props} />
    </Needs>
  );
}

function EditAction({ endpoint, eventNames, eventVersions, onDone }: EditProps) {
  const { endpointActs: say } = words.value;
  const { id, url, description, events, eventVersion, signatureScheme, headerNames } = endpoint;
  const headers = writeHeaders(headerNames);
  const present = { url, description: description ?? '', events, eventVersion, signatureScheme, headers };
  const [values, setValues] = useState<EndpointValues>(present);
  const isFirst = id === FIRST;
  const chosen = values.events && [...values.events];
  const common = {
    verb: say.save,
    opener: say.edit,
    title: say.edit,
    onOpen: () => setValues(present),
    onDone: () => onDone(values.url !== url),
    children: (
      <>
        <p>{say.editHow}</p>
        <EndpointFields
          id={`edit-${id}`}
          values={values}
          eventNames={eventNames}
          eventVersions={eventVersions}
          isFirst={isFirst}
          onChange={setValues}
        />
      </>
    ),
  };
  // Only what has changed: a change of the URL may need an approval that one of the events does not need.
  const change = values.url === url ? undefined : values.url;
  const scheme = values.signatureScheme === signatureScheme ? undefined : values.signatureScheme;
  const version = values.eventVersion === eventVersion ? undefined : values.eventVersion;
  const given = values.headers === headers ? undefined : readHeaders(values.headers);
  return isFirst ? (
    <ConfirmedAction
      document="updateFirstEndpoint"
      variables={{
        input: {
          webhookEvents: chosen,
          ...(change !== undefined && { webhookUrl: change }),
          ...(version !== undefined && { webhookEventVersion: version }),
          ...(scheme && { webhookSignatureScheme: scheme }),
          ...(given && { webhookHeaders: given }),
        },
      }}
      {...common}
    />
  ) : (
    <ConfirmedAction
      document="updateEndpoint"
      variables={{
        input: {
          id,
          events: chosen,
          description: values.description,
          ...(change !== undefined && { url: change }),
          ...(version !== undefined && { eventVersion: version }),
          ...(scheme && { signatureScheme: scheme }),
          ...(given && { headers: given }),
        },
      }}
      {...common}
    />
  );
}

/** Deletes a further endpoint. */
export function DeleteEndpoint({ endpoint, onDone }: EndpointActProps) {
  const { endpointActs: say } = words.value;
  const { id, url, health } = endpoint;
  return id === FIRST ? null : (
    <ConfirmedAction
      document="deleteEndpoint"
      variables={{ input: { id } }}
      verb={say.remove}
      title={`${say.remove} ${url}`}
      onDone={onDone}
    >
      <p>{say.removeHow(formatNumber(health.pending, language.value))}</p>
    </ConfirmedAction>
  );
}

/** Pauses the endpoint, or resumes a paused one. An open question stays the same when somebody else does it first. */
export function PauseEndpoint({ endpoint, onDone }: EndpointActProps) {
  const { endpoint: say, endpointActs: acts } = words.value;
  const { id, health } = endpoint;
  const isPaused = health.pausedAt !== null;
  const [isToResume, setToResume] = useState(isPaused);
  return (
    <ConfirmedAction
      document={isToResume ? 'resumeEndpoint' : 'pauseEndpoint'}
      variables={{ input: { id } }}
      verb={isToResume ? say.resume : say.pause}
      opener={isPaused ? say.resume : say.pause}
      onOpen={() => setToResume(isPaused)}
      onDone={onDone}
    >
      <p>{isToResume ? acts.resumeHow(formatNumber(health.pending, language.value)) : acts.pauseHow}</p>
    </ConfirmedAction>
  );
}

interface TestProps {
  readonly id: string;
  /** Called with the id of the test webhook. */
  readonly onSent: (deliveryId: string) => void;
}

/** Sends a test webhook. */
export function TestEndpoint({ id, onSent }: TestProps) {
  const { endpoint: say, endpointActs: acts } = words.value;
  return (
    <ConfirmedAction
      document="sendTestWebhook"
      variables={{ input: { endpointId: id } }}
      verb={say.test}
      onDone={({ webhookDelivery }) => webhookDelivery && onSent(webhookDelivery.id)}
    >
      <p>{acts.testHow}</p>
    </ConfirmedAction>
  );
}

/** The progress of a test webhook, with a link to it. */
export function TestResult({ deliveryId }: { readonly deliveryId: string }) {
  const { endpoint: say, endpointActs: acts } = words.value;
  const query = useQuery('delivery', { id: deliveryId, isRevealed: false });
  const delivery = query.data?.webhookDelivery;
  useFresh(query, delivery?.status === 'PENDING' || delivery === undefined);
  const last = delivery?.attempts.at(-1);
  return (
    <p role="status">
      {delivery && last ? (
        <>
          <a href={pathOf.delivery(deliveryId)}>{acts.testWebhook}</a> <Status value={delivery.status} />{' '}
          {last.statusCode ?? (last.errorClass && <CodeWords of={last.errorClass} />)}{' '}
          {delivery.status === 'DELIVERED' && acts.checkTest}
        </>
      ) : (
        say.testSent
      )}
    </p>
  );
}
