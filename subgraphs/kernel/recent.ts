/** For how long figures of all processes are kept, milliseconds: several collectors and pages read them. */
export const FIGURES_FRESH_MS = 15_000;
/** The number of documents that a figure counts up to: it limits the cost of counting a backlog. */
export const FIGURES_COUNT_TO = 100_000;

/**
 * Shares what was read, and what is being read, for `freshMs`, however many callers there are. A failed read fails for those
 * who wait for it; the next call reads again.
 */
export function keepRecent<T>(freshMs: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!kept || at - kept.at > freshMs) {
      const started = { at, value: read() };
      kept = started;
      started.value.catch(() => {
        // Callers that await it get the error.
        kept = kept === started ? undefined : kept;
      });
    }
    return kept.value;
  };
}
