import type { ExecutionResult } from 'graphql';
import { CATALOGUE, type ErrorCode } from '../../subgraphs/platform/errors/catalogue.ts';
import { type Outcome, outcomeOf, type Payload, payloadOutcome } from './outcome.ts';

/** From what a trusted document brought to the body (or `data`) of a success, or to what there is to say instead. */
export type Presenter = (result: ExecutionResult) => Outcome<unknown>;

/** Presents the payload of a mutation, or of a list that may be refused. */
export function ofPayload<T extends Payload>(field: string, toBody: (payload: T) => unknown): Presenter {
  return (result) => {
    const outcome = payloadOutcome<T>(result, field);
    return outcome.kind === 'data' ? found(toBody(outcome.data)) : outcome;
  };
}

/** Presents the data of a query, which may have brought nothing. */
export function ofData<T>(toOutcome: (data: T) => Outcome<unknown>): Presenter {
  return (result) => {
    const outcome = outcomeOf<T>(result);
    return outcome.kind === 'data' ? toOutcome(outcome.data) : outcome;
  };
}

export function found(body: unknown): Outcome<unknown> {
  return { kind: 'data', data: body };
}

/** Nothing was found, in the catalogue's words. */
export function missing(code: ErrorCode): Outcome<unknown> {
  return { kind: 'refused', failures: [{ code, message: CATALOGUE[code].message }] };
}
