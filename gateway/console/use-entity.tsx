import { useEffect, useRef, useState } from 'preact/hooks';
import { type LiveState, listen } from '../client/index.ts';
import { LIVE_TEXTS, live } from './connection.tsx';
import type { DataOf } from './graph.ts';
import type { LiveDocument } from './live-documents.ts';

/** The minimum time between two reads, even if events come faster. */
const PAUSE_MS = 250;

/**
 * Makes a screen of one record read it again on each event about it. The way back from another record of the same kind keeps the screen,
 * with another `isAbout`.
 */
export function useChanges<Changes extends LiveDocument>(
  changes: Changes,
  isAbout: (data: DataOf<Changes>) => boolean,
  reload: () => void,
): LiveState {
  const [connection, setConnection] = useState<LiveState>({ name: 'connecting' });
  const watched = useRef(isAbout);
  watched.current = isAbout;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, PAUSE_MS);
    };
    const events = live.follow<DataOf<Changes>>({ query: LIVE_TEXTS[changes], onState: setConnection });
    const stop = listen(events, {
      next: ({ data }) => {
        if (watched.current(data)) {
          readSoon();
        }
      },
      // onState reports the failure.
      ended: () => undefined,
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [changes, reload]);
  return connection;
}
