import type { FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { GraphError } from '../graph.ts';
import { Failed, Loading } from './states.tsx';

/**
 * A component of a part of the console that most visits do not need. The part is loaded when the component is shown first; until then
 * it shows that it loads, or the failure with a way to try again.
 * @param load imports the part
 * @param pick the component of the part
 */
export function loadLater<Part>(load: () => Promise<Part>, pick: (part: Part) => FunctionComponent) {
  return function LoadedLater() {
    const [part, setPart] = useState<Part>();
    const [error, setError] = useState<GraphError>();
    const start = useCallback(() => {
      setError(undefined);
      load().then(setPart, (cause: unknown) =>
        setError(new GraphError('OFFLINE', 'The screens cannot be loaded.', undefined, { cause })),
      );
    }, []);
    useEffect(start, [start]);
    if (part) {
      const Loaded = pick(part);
      return <Loaded />;
    }
    return error ? <Failed error={error} onRetry={start} /> : <Loading place="rows" />;
  };
}
