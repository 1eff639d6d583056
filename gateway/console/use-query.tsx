import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { graph } from './connection.tsx';
import { type DataOf, type DocumentName, GraphError, type VariablesOf } from './graph.ts';

/** The data of a screen. Old data stay while they are read again. */
export interface QueryState<Data> {
  readonly data: Data | undefined;
  /** The error of the last read; undefined if it succeeded. */
  readonly error: GraphError | undefined;
  readonly isLoading: boolean;
  /** Reads again. */
  readonly reload: () => void;
}

/** Runs a document when the screen opens and whenever its variables change. */
export function useQuery<Name extends DocumentName>(
  name: Name,
  variables: VariablesOf<Name>,
): QueryState<DataOf<Name>> {
  const [state, setState] = useState<Omit<QueryState<DataOf<Name>>, 'reload'>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const key = JSON.stringify(variables);
  const known = useRef(key);
  // The key stands for the variables, the round for a reload.
  useEffect(() => {
    const leaving = new AbortController();
    const isSame = known.current === key;
    known.current = key;
    setState(({ data }) => ({ data: isSame ? data : undefined, error: undefined, isLoading: true }));
    graph.run(name, variables, leaving.signal).then(
      (data) => setState({ data, error: undefined, isLoading: false }),
      (error: unknown) => {
        if (!leaving.signal.aborted) {
          setState(({ data }) => ({ data, error: asGraphError(error), isLoading: false }));
        }
      },
    );
    return () => leaving.abort();
  }, [name, key, round]);
  const reload = useCallback(() => setRound((one) => one + 1), []);
  return { ...state, reload };
}

/** @throws errors that are not failures of a request: bugs of this page */
export function asGraphError(error: unknown): GraphError {
  if (error instanceof GraphError) {
    return error;
  }
  throw error;
}
