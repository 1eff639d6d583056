import { useState } from 'preact/hooks';
import { formatDuration } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Connection } from '../parts/live-bar.tsx';
import { Needs } from '../parts/needs.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { CodeWords, Copy, Status, Time } from '../parts/values.tsx';
import { may } from '../session.tsx';
import { language, words } from '../settings.tsx';
import { useChanges } from '../use-entity.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { type Fact, idFact, timeFactIf, timeFacts } from './facts.tsx';
import { Refusal } from './failed-calls.tsx';
import { Subject } from './subject.tsx';

type Delivery = NonNullable<DataOf<'delivery'>['webhookDelivery']>;
type Attempt = Delivery['attempts'][number];

export function DeliveryScreen({ id }: { readonly id: string }) {
  const query = useQuery('delivery', { id, isRevealed: may('support') });
  const connection = useChanges(
    'deliveryChanges',
    ({ webhookDeliveryChanged }) => webhookDeliveryChanged.delivery?.id === id,
    query.reload,
  );
  // A failed attempt with a retry ahead does not change the status, so it has no event.
  useFresh(query, query.data?.webhookDelivery?.status === 'PENDING');
  const { delivery: say } = words.value;
  return (
    <Loaded title={words.value.nav.deliveries} query={query} of={query.data?.webhookDelivery}>
      {(delivery) => (
        <Page
          title={say.title(delivery.event)}
          actions={
            <>
              <Connection state={connection} />
              <Needs access="support" act={say.replay}>
                <DeliveryActs delivery={delivery} onDone={query.reload} />
              </Needs>
            </>
          }
        >
          <Facts of={factsOf(delivery)} />
          <Section title={words.value.fields.attempts}>
            {delivery.attempts.length === 0 && (
              <Empty next={['endpoints']}>{words.value.empty.attempts}</Empty>
            )}
            {delivery.attempts.toReversed().map((attempt, index) => (
              <AttemptOf key={`${attempt.number} ${attempt.at}`} attempt={attempt} isOpen={index === 0} />
            ))}
          </Section>
          <Needs access="support" act={words.value.fields.body}>
            <Section title={words.value.fields.body} actions={<Copy text={delivery.body ?? ''} />}>
              <pre>{delivery.body}</pre>
            </Section>
          </Needs>
        </Page>
      )}
    </Loaded>
  );
}

function factsOf(delivery: Delivery): Fact[] {
  const { fields, endpointActs, people } = words.value;
  return [
    [fields.status, <Status key="status" value={delivery.status} />],
    [fields.event, delivery.event],
    [fields.subject, <Subject key="subject" of={delivery} />],
    [people.failedRequest, delivery.failure ? <Refusal key="failure" of={delivery.failure} /> : undefined],
    [fields.url, <code key="url">{delivery.url}</code>],
    [
      endpointActs.formerUrl,
      delivery.formerUrls.length > 0
        ? delivery.formerUrls.map(({ url, until }) => (
            <div key={until}>
              <code>{url}</code> {endpointActs.until} <Time of={until} />
            </div>
          ))
        : undefined,
    ],
    ...timeFacts(delivery, ['createdAt']),
    timeFactIf('nextAttemptAt', delivery.nextAttemptAt),
    ...timeFacts(delivery, ['finishedAt']),
    idFact(fields.id, delivery.id),
  ];
}

interface DeliveryActsProps {
  readonly delivery: Delivery;
  readonly onDone: () => void;
}

/** Sends a webhook now, again, or to the URL that its endpoint has now. */
function DeliveryActs({ delivery: { id, status, url, currentUrl }, onDone }: DeliveryActsProps) {
  const { delivery: say, endpointActs: acts } = words.value;
  const [note, setNote] = useState<string>();
  const noteDone = (text: string) => {
    setNote(text);
    onDone();
  };
  return (
    <>
      {status === 'PENDING' && (
        <ConfirmedAction
          document="sendDeliveryNow"
          variables={{ input: { id } }}
          verb={acts.sendNow}
          onDone={() => noteDone(acts.sendNowDone)}
        >
          <p>{acts.sendNowHow}</p>
        </ConfirmedAction>
      )}
      {currentUrl !== null && currentUrl !== url && (
        <ConfirmedAction
          document="replayDelivery"
          variables={{ input: { id, toCurrentUrl: true } }}
          verb={acts.toCurrent}
          onDone={() => noteDone(say.replayed)}
        >
          <p>{acts.toCurrentHow(url, currentUrl)}</p>
        </ConfirmedAction>
      )}
      {(status === 'DELIVERED' || status === 'DEAD_LETTERED') && (
        <ConfirmedAction
          document="replayDelivery"
          variables={{ input: { id } }}
          verb={say.replay}
          onDone={() => noteDone(say.replayed)}
        >
          <p>{acts.replayHow(url)}</p>
        </ConfirmedAction>
      )}
      <span role="status">{note}</span>
    </>
  );
}

/** One attempt: the request, the answer, and the duration of each part. */
function AttemptOf({ attempt, isOpen }: { readonly attempt: Attempt; readonly isOpen: boolean }) {
  const { delivery, fields } = words.value;
  const { number, at, ms, statusCode, errorClass, answer, headers } = attempt;
  return (
    <details class="attempt" open={isOpen}>
      <summary>
        {delivery.attempt(number)} · <Time of={at} /> · {statusCode ?? delivery.notConnected} ·{' '}
        {formatDuration(ms, language.value)}{' '}
        {errorClass && (
          <span class="bad">
            <CodeWords of={errorClass} />
          </span>
        )}
      </summary>
      {attempt.timing && <p>{partsOf(attempt.timing)}</p>}
      <h3>{fields.headers}</h3>
      <pre>{headers.join('\n')}</pre>
      <Needs access="support" act={fields.answer}>
        <h3>{fields.answer}</h3>
        <pre>{answer || words.value.common.none}</pre>
      </Needs>
    </details>
  );
}

function partsOf({ reused, dnsMs, connectMs, tlsMs, firstByteMs }: NonNullable<Attempt['timing']>): string {
  const { delivery, common } = words.value;
  const parts = [dnsMs, connectMs, tlsMs, firstByteMs].map((ms) =>
    ms === null ? common.none : formatDuration(ms, language.value),
  );
  return `${delivery.parts}: ${parts.join(', ')}${reused ? ` (${delivery.reused})` : ''}`;
}
