import { useState } from 'preact/hooks';
import { formatDuration, formatNumber, formatShare } from '../format.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Secret } from '../parts/dialog.tsx';
import { eventVersionsWith } from '../parts/endpoint-form.tsx';
import { EndpointStatus } from '../parts/endpoint-status.tsx';
import { Needs } from '../parts/needs.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { SignatureCheck } from '../parts/signature-check.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { CodeWords, Since, Time } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import {
  AddEndpoint,
  DeleteEndpoint,
  EditEndpoint,
  type Endpoint,
  type EventChoices,
  PauseEndpoint,
  TestEndpoint,
  TestResult,
} from './endpoint-acts.tsx';
import { EndpointAttempts, EndpointLatency } from './endpoint-charts.tsx';
import { MissedWebhooks } from './missed-webhooks.tsx';

export function Endpoints() {
  const query = useQuery('endpoints', {});
  useFresh(query);
  const endpoints = query.data?.me.webhookEndpoints;
  const choices = {
    eventNames: query.data?.me.webhookEventNames ?? [],
    eventVersions: query.data?.me.webhookEventVersions ?? [],
  };
  return (
    <Page
      title={words.value.nav.endpoints}
      actions={
        endpoints && (
          <Needs access="operate" act={words.value.endpointActs.add}>
            <AddEndpoint {...choices} onDone={query.reload} />
          </Needs>
        )
      }
    >
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!endpoints && !query.error && <Loading place="endpoints" />}
      {endpoints?.length === 0 && <Empty next={['webhooks']}>{words.value.empty.endpoints}</Empty>}
      {endpoints?.map((endpoint) => (
        <EndpointOf
          key={endpoint.id}
          endpoint={endpoint}
          {...choices}
          isClockAhead={(query.data?.sandbox?.clockAheadSeconds ?? 0) > 0}
          reload={query.reload}
        />
      ))}
      {/* Behind what is read: a form does not move away under the mouse. */}
      {(endpoints || query.error) && <SignatureCheck />}
    </Page>
  );
}

interface EndpointProps extends EventChoices {
  readonly endpoint: Endpoint;
  readonly isClockAhead: boolean;
  readonly reload: () => void;
}

function EndpointOf({ endpoint, eventNames, eventVersions, isClockAhead, reload }: EndpointProps) {
  const { id } = endpoint;
  const { endpoint: say, endpointActs } = words.value;
  const [moves, setMoves] = useState(0);
  const [tested, setTested] = useState<string>();
  return (
    <Section title={endpoint.url}>
      <Facts of={[...factsOf(endpoint, eventVersions), ...healthOf(endpoint)]} />
      <EndpointAttempts id={id} isClockAhead={isClockAhead} health={endpoint.health} />
      <div class="actions">
        <Needs access="operate" act={say.change}>
          <EditEndpoint
            endpoint={endpoint}
            eventNames={eventNames}
            eventVersions={eventVersions}
            onDone={(isMoved) => {
              reload();
              setMoves((count) => (isMoved ? count + 1 : count));
            }}
          />
          <PauseEndpoint endpoint={endpoint} onDone={reload} />
          <TestEndpoint id={id} onSent={setTested} />
          <Needs access="admin" act={say.rotate}>
            <RotateSecret id={id} reload={reload} />
          </Needs>
          <DeleteEndpoint endpoint={endpoint} onDone={reload} />
        </Needs>
        <Needs access="support" act={endpointActs.missed}>
          <MissedWebhooks endpointId={id} round={moves} />
        </Needs>
      </div>
      {tested !== undefined && <TestResult key={tested} deliveryId={tested} />}
      <EndpointLatency health={endpoint.health} />
    </Section>
  );
}

function factsOf(endpoint: Endpoint, eventVersions: readonly number[]) {
  const { id, description, events, secretPreview, formerSecretsUntil, createdAt } = endpoint;
  const { eventVersion, signatureScheme, publicKeys, headerNames } = endpoint;
  const { fields, endpoint: say, endpointActs, common } = words.value;
  return [
    [fields.id, id === 'first' ? say.first : id],
    [endpointActs.description, description ?? undefined],
    [fields.events, events?.join(', ') ?? say.allEvents],
    [
      endpointActs.eventVersion,
      eventVersionsWith(eventVersions, eventVersion).length > 1 ? String(eventVersion) : undefined,
    ],
    [fields.secret, secretPreview ? <code>{secretPreview}</code> : common.none],
    [
      say.formerUntil,
      formerSecretsUntil.length > 0
        ? formerSecretsUntil.map((until) => <Time key={until} of={until} />)
        : undefined,
    ],
    [endpointActs.scheme, endpointActs.schemes[signatureScheme]],
    [
      endpointActs.publicKeys,
      signatureScheme === 'DOCUMENTED'
        ? undefined
        : publicKeys.map(({ id: keyId, publicKey }) => (
            <span key={keyId}>
              <code>{publicKey}</code>{' '}
            </span>
          )),
    ],
    [endpointActs.ownHeaders, headerNames.length > 0 ? headerNames.join(', ') : undefined],
    [fields.createdAt, <Time key="created" of={createdAt} />],
  ] as const;
}

function healthOf({ health }: Endpoint) {
  const { fields, common } = words.value;
  const { successRate, p95Ms, lastError, pending, oldestDueAt, probeAt } = health;
  return [
    [fields.status, <EndpointStatus key="status" of={health} />],
    [fields.successRate, successRate === null ? common.none : formatShare(successRate, language.value)],
    [fields.p95Ms, p95Ms === null ? common.none : formatDuration(p95Ms, language.value)],
    [fields.pending, formatNumber(pending, language.value)],
    [fields.oldestDueAt, oldestDueAt ? <Since key="due" of={oldestDueAt} /> : undefined],
    [fields.nextAttemptAt, probeAt ? <Time key="probe" of={probeAt} /> : undefined],
    [
      fields.lastError,
      lastError ? (
        <span key="error">
          <CodeWords of={lastError.errorClass} /> {lastError.statusCode} <Time of={lastError.at} />
        </span>
      ) : undefined,
    ],
  ] as const;
}

/** Replaces the signing secret; the new one is shown once. */
function RotateSecret({ id, reload }: { readonly id: string; readonly reload: () => void }) {
  const { endpoint: say } = words.value;
  const [hours, setHours] = useState(24);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <ConfirmedAction
        document="rotateSecret"
        variables={{ input: { endpointId: id, overlapHours: hours } }}
        verb={say.rotate}
        onDone={({ webhookSecret }) => {
          setSecret(webhookSecret ?? undefined);
          reload();
        }}
      >
        <p>
          <label for="overlap">{say.overlap}</label>
          <input
            id="overlap"
            type="number"
            min={0}
            max={168}
            value={hours}
            onInput={({ currentTarget }) => setHours(currentTarget.valueAsNumber || 0)}
          />
        </p>
      </ConfirmedAction>
      {secret !== undefined && (
        <Secret title={say.rotate} text={secret} onClose={() => setSecret(undefined)}>
          {say.newSecret}
        </Secret>
      )}
    </>
  );
}
