import { useEffect } from 'preact/hooks';

/** Acts again and again while somebody looks: not in a page in the background. */
export function useEvery(ms: number, act: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') {
        act();
      }
    }, ms);
    return () => clearInterval(timer);
  }, [ms, act]);
}
