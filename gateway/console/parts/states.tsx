import type { ComponentChildren } from 'preact';
import type { GraphError } from '../graph.ts';
import { missingRole } from '../missing-role.ts';
import { words } from '../settings.tsx';
import { Page } from './page.tsx';

export function Loading() {
  return (
    <p class="state" role="status">
      {words.value.states.loading}
    </p>
  );
}

/** Nothing is there at all. */
export function Empty({ children }: { readonly children?: ComponentChildren }) {
  return <p class="state">{children ?? words.value.states.empty}</p>;
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
  /** Absent if a retry makes no sense. */
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
        <strong>{isOffline ? states.offline : states.failed}</strong>{' '}
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
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {states.retry}
        </button>
      )}
    </div>
  );
}

/** A record that does not exist for this partner. */
function NotFound({ title }: { readonly title: string }) {
  return (
    <Page title={title}>
      <Empty>{words.value.states.notFound}</Empty>
    </Page>
  );
}

/** The data of a screen with one record, or the reason for their absence. */
export function Loaded<Data>({
  title,
  query,
  of,
  children,
}: {
  readonly title: string;
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
      {query.error ? <Failed error={query.error} onRetry={query.reload} /> : <Loading />}
    </Page>
  );
}
