import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { GraphError } from '../graph.ts';
import { missingRole } from '../missing-role.ts';
import { NEXT_STEPS } from '../screens/paths.ts';
import { words } from '../settings.tsx';
import { Icon } from './icon.tsx';
import { Page } from './page.tsx';

/** A block of a skeleton: class of the block and of its items, number of items, and of lines in each. */
type Block = readonly [block: string, item: string, items: number, lines: number];

/** Blocks have the classes of the parts that they stand for, and so their size at each width. */
const LINE: Block = ['', 'line', 1, 1];
const BAR: Block = ['', 'bar', 1, 1];
const HEADING: Block = ['', 'heading', 1, 1];
const FACTS: Block = ['facts', 'fact', 8, 2];
const SHORT_TABLE: Block = ['', 'row', 4, 3];

/** The kind of place that a skeleton keeps. */
type Place = 'line' | 'rows' | 'cards' | 'figures' | 'endpoints' | 'record' | 'payment';

const PLACES: Readonly<Record<Place, readonly Block[]>> = {
  line: [LINE],
  rows: [['', 'row', 11, 3]],
  cards: [['cards', 'card', 2, 2]],
  figures: [['cards', 'card figure', 7, 3], BAR, HEADING, ['charts', 'chart', 6, 2], HEADING, SHORT_TABLE],
  endpoints: [HEADING, FACTS, ['charts', 'chart', 1, 2], BAR],
  record: [FACTS, HEADING, SHORT_TABLE],
  payment: [['verdict idle', 'line', 1, 1], BAR, BAR, FACTS, HEADING, SHORT_TABLE],
};

/** How many places wait for their data. */
const waiting = signal(0);

/** Keeps the place of data that are read for the first time, so that nothing moves when they come. */
export function Loading({ place = 'line' }: { readonly place?: Place }) {
  useEffect(() => {
    waiting.value += 1;
    return () => {
      waiting.value -= 1;
    };
  }, []);
  return (
    <div class="skeleton" aria-busy="true">
      {PLACES[place].map(([block, item, items, lines], index) => (
        <div key={index} class={block}>
          {times(items, (one) => (
            <div key={one} class={item}>
              {times(lines, (line) => (
                <span key={line} />
              ))}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function times<One>(count: number, make: (index: number) => One): One[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Has screen readers say that data are loading: once, however many places wait. */
export function LoadingNote() {
  return (
    <p class="hidden" role="status">
      {waiting.value > 0 && words.value.states.loading}
    </p>
  );
}

interface EmptyProps {
  /** The records that would be here, and how they come to be. */
  readonly children: ComponentChildren;
  /** Links to what the reader can do next. */
  readonly next?: readonly (keyof typeof NEXT_STEPS)[];
}

/** Nothing is there at all. */
export function Empty({ children, next = [] }: EmptyProps) {
  return (
    <div class="state empty">
      <p>{children}</p>
      {next.length > 0 && (
        <p class="next">
          {next.map((step) => (
            <a key={step} href={NEXT_STEPS[step]}>
              {words.value.empty.next[step]}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

/** There are records, but none matches the filters. */
export function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <p class="state">
      {words.value.states.noMatch}{' '}
      <button type="button" onClick={onClear}>
        {words.value.common.clear}
      </button>
    </p>
  );
}

interface FailedProps {
  readonly error: GraphError;
  /** Reads again. Absent for an act, which has a button of its own. Not offered if the role lacks the right. */
  readonly onRetry?: () => void;
}

/** A failure, with its cause and the id by which the operator finds it in the log. */
export function Failed({ error, onRetry }: FailedProps) {
  const { states, common, access } = words.value;
  const role = missingRole(error.missingScopes);
  const isOffline = error.code === 'OFFLINE';
  return (
    <div class="state failed" role="alert">
      <p>
        <strong>{isOffline ? states.offline : onRetry ? states.failed : states.notDone}</strong>{' '}
        {!isOffline && (role ? access.missing(access.roles[role]) : error.message)}
      </p>
      {!isOffline && (
        <p>
          <code>{error.code}</code>
          {error.requestId && (
            <>
              {' · '}
              {common.requestId} <code>{error.requestId}</code>
            </>
          )}
        </p>
      )}
      {onRetry && error.code !== 'FORBIDDEN' && (
        <button type="button" onClick={onRetry}>
          <Icon name="retry" /> {states.retry}
        </button>
      )}
    </div>
  );
}

/** A record that does not exist for this partner. */
function NotFound({ title }: { readonly title: string }) {
  return (
    <Page title={title}>
      <Empty next={['overview']}>{words.value.states.notFound}</Empty>
    </Page>
  );
}

/** The data of a screen with one record, or the reason for their absence. */
export function Loaded<Data>({
  title,
  place = 'record',
  query,
  of,
  children,
}: {
  readonly title: string;
  /** The place that is kept free for it. */
  readonly place?: Place;
  readonly query: {
    readonly data: unknown;
    readonly error: GraphError | undefined;
    readonly reload: () => void;
  };
  /** Undefined while it is read; null when there is no such record. */
  readonly of: Data | null | undefined;
  readonly children: (data: Data) => ComponentChildren;
}) {
  if (of !== undefined && of !== null) {
    return (
      <>
        {query.error && <Failed error={query.error} onRetry={query.reload} />}
        {children(of)}
      </>
    );
  }
  if (of === null) {
    return <NotFound title={title} />;
  }
  return (
    <Page title={title}>
      {query.error ? <Failed error={query.error} onRetry={query.reload} /> : <Loading place={place} />}
    </Page>
  );
}
