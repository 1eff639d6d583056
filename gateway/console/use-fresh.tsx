import { useCallback, useRef } from 'preact/hooks';
import { useEvery } from './use-every.tsx';
import type { QueryState } from './use-query.tsx';

/** How old data may be of which no event tells, while somebody looks. */
const FRESH_MS = 5_000;

/**
 * Has a query read again every 5 s while somebody looks. It waits for the answer before: a server that takes longer than the time
 * between two readings would never get to answer.
 * @param isNeeded whether there may be anything new
 */
export function useFresh(
  { isLoading, reload }: Pick<QueryState<unknown>, 'isLoading' | 'reload'>,
  isNeeded = true,
): void {
  const isWaiting = useRef(isLoading);
  isWaiting.current = isLoading;
  const readIfIdle = useCallback(() => {
    if (isNeeded && !isWaiting.current) {
      reload();
    }
  }, [isNeeded, reload]);
  useEvery(FRESH_MS, readIfIdle);
}
