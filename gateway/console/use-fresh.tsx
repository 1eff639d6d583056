import { useCallback } from 'preact/hooks';
import { useEvery } from './use-every.tsx';
import type { QueryState } from './use-query.tsx';

/** How old data may be of which no event tells, while somebody looks. */
const FRESH_MS = 5_000;

/**
 * Has a query read again every 5 s while somebody looks. A reading that takes longer than that is not given up for the next one.
 * @param isNeeded whether there may be anything new
 */
export function useFresh(
  { isLoading, reload }: Pick<QueryState<unknown>, 'isLoading' | 'reload'>,
  isNeeded = true,
): void {
  const readIfIdle = useCallback(() => {
    if (isNeeded && !isLoading) {
      reload();
    }
  }, [isNeeded, isLoading, reload]);
  useEvery(FRESH_MS, readIfIdle);
}
