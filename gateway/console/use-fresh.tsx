import { useCallback, useRef } from 'preact/hooks';
import { useEvery } from './use-every.tsx';
import type { QueryState } from './use-query.tsx';

/** The maximum age of data without events while the page is visible, if its screen names no other. */
const FRESH_MS = 5_000;

/**
 * Repeats a query while the page is visible. It waits for the previous answer first: otherwise a server
 * that needs longer than the interval could never answer.
 * @param isNeeded whether there may be new data
 * @param everyMs by default 5 s
 */
export function useFresh(
  { isLoading, reload }: Pick<QueryState<unknown>, 'isLoading' | 'reload'>,
  isNeeded = true,
  everyMs = FRESH_MS,
): void {
  const isWaiting = useRef(isLoading);
  isWaiting.current = isLoading;
  const readIfIdle = useCallback(() => {
    if (isNeeded && !isWaiting.current) {
      reload();
    }
  }, [isNeeded, reload]);
  useEvery(everyMs, readIfIdle);
}
