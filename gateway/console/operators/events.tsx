import { formatDuration, formatNumber } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { Facts, Page } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Bad, Time } from '../parts/values.tsx';
import type { Fact } from '../screens/facts.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';

type EventLog = DataOf<'platformEvents'>['platform']['events'];

/** Subscribers get events once they have a number. An event without a number for longer than this is marked. */
const LATE_MS = 5_000;

/** The delay of the event log. */
export function EventLogScreen() {
  const query = useQuery('platformEvents', {});
  useFresh(query);
  const events = query.data?.platform.events;
  return (
    <Page title={words.value.nav.events}>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!events && !query.error && <Loading place="record" />}
      {events && (
        <>
          <p>{words.value.operators.eventsWhat}</p>
          <Facts of={factsOf(events)} />
        </>
      )}
    </Page>
  );
}

function factsOf(events: EventLog): Fact[] {
  const { operators: say } = words.value;
  const lag = formatDuration(events.lagMs, language.value);
  return [
    [say.lag, events.lagMs > LATE_MS ? <Bad key="lag">{lag}</Bad> : lag],
    [say.unnumbered, formatNumber(events.unnumbered, language.value)],
    [say.oldestUnnumbered, <Time key="oldest" of={events.oldestUnnumberedAt} isExact />],
    [say.numbered, formatNumber(Number(events.numbered), language.value)],
    [say.partitions, formatNumber(events.partitions, language.value)],
    [
      say.partitionsWithoutProcess,
      events.partitionsWithoutProcess > 0 ? (
        <Bad key="without">{formatNumber(events.partitionsWithoutProcess, language.value)}</Bad>
      ) : (
        '0'
      ),
    ],
    [say.lastNumbered, <Time key="numbered" of={events.lastNumberedAt} isExact />],
  ];
}
