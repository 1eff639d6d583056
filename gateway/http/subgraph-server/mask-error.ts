import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { isOutage } from '../../../subgraphs/kernel/database/outage.ts';
import { CATALOGUE, isErrorCode } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { withoutInput } from '../../../subgraphs/kernel/errors/without-input.ts';
import type { Logger } from '../../../subgraphs/kernel/log/log.ts';
import { argumentIssue } from '../../engine/index.ts';

/**
 * An error in the form in which a subgraph sends it. Errors that a resolver made for the client, and those about null for an argument, pass. Any other error is
 * logged here, and the gateway learns only that it happened: its message may have data that would get into another process's
 * log.
 * @param formatted the error as it would be sent
 */
export function maskError(
  formatted: GraphQLFormattedError,
  error: unknown,
  log: Pick<Logger, 'error'>,
): GraphQLFormattedError {
  const code = formatted.extensions?.code;
  if (error instanceof GraphQLError && typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR') {
    return isErrorCode(code) ? formatted : { ...formatted, extensions: { code } };
  }
  const issue = argumentIssue(formatted.message);
  if (error instanceof GraphQLError && issue !== undefined) {
    return { ...formatted, message: issue.message, extensions: { code: issue.code } };
  }
  log.error({ err: withoutInput(error), path: formatted.path }, 'subgraph.internal_error');
  const shown = isOutage(error) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
  return { ...formatted, message: CATALOGUE[shown].message, extensions: { code: shown } };
}

/** The same for all errors of one answer. */
export function maskErrors(
  errors: readonly GraphQLError[],
  log: Pick<Logger, 'error'>,
): GraphQLFormattedError[] {
  return errors.map((error) => maskError(error.toJSON(), error, log));
}
