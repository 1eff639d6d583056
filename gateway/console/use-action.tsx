import { useCallback, useRef, useState } from 'preact/hooks';
import { graph } from './connection.tsx';
import { type DataOf, type DocumentName, GraphError, type VariablesOf } from './graph.ts';
import { asGraphError } from './use-query.tsx';

interface Payload {
  readonly userErrors: readonly { readonly code: string; readonly message: string }[];
}

/** The payload of a document with one mutation. */
export type PayloadOf<Name extends DocumentName> = Extract<DataOf<Name>[keyof DataOf<Name>], Payload>;

/** A mutation of a screen. */
export interface Action<Name extends DocumentName> {
  /** Runs it. @returns its payload; undefined if it failed (`error` has the reason) or is already running */
  readonly run: (variables: VariablesOf<Name>) => Promise<PayloadOf<Name> | undefined>;
  readonly isRunning: boolean;
  readonly error: GraphError | undefined;
  /** Forgets the error of the last run. */
  readonly forget: () => void;
}

/** Runs a mutation when a button is pressed, but never twice at the same time. */
export function useAction<Name extends DocumentName>(name: Name): Action<Name> {
  const [state, setState] = useState<{ isRunning: boolean; error: GraphError | undefined }>({
    isRunning: false,
    error: undefined,
  });
  const isBusy = useRef(false);
  const run = useCallback(
    async (variables: VariablesOf<Name>) => {
      // The button shows that it waits, but is not disabled, because it would lose the focus.
      if (isBusy.current) {
        return undefined;
      }
      isBusy.current = true;
      setState({ isRunning: true, error: undefined });
      try {
        const [payload] = Object.values(await graph.run(name, variables)) as PayloadOf<Name>[];
        const [failure] = payload?.userErrors ?? [];
        setState({
          isRunning: false,
          error: failure && new GraphError(failure.code, failure.message),
        });
        return failure === undefined ? payload : undefined;
      } catch (error) {
        setState({ isRunning: false, error: asGraphError(error) });
        return undefined;
      } finally {
        isBusy.current = false;
      }
    },
    [name],
  );
  const forget = useCallback(() => setState((one) => ({ ...one, error: undefined })), []);
  return { run, forget, ...state };
}
