import { useEffect } from 'preact/hooks';

/** Acts again and again while somebody looks, and when somebody looks again: not in a page in the background. */
export function useEvery(ms: number, act: () => void): void {
  useEffect(() => {
    const actIfSeen = () => {
      if (document.visibilityState === 'visible') {
        act();
      }
    };
    const timer = setInterval(actIfSeen, ms);
    document.addEventListener('visibilitychange', actIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', actIfSeen);
    };
  }, [ms, act]);
}
