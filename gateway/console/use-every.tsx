import { useEffect } from 'preact/hooks';

/** Calls back periodically while the page is visible, and when it becomes visible again; not in the background. */
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
