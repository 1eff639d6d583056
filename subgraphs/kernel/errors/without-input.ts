import { GraphQLError } from 'graphql';

/** Text that graphql-js and graphql-jit write before a value that they could not read. */
const BEFORE_VALUE = /(?: has invalid value|got invalid value|, found| cannot represent|: ")[\s\S]*$/;

/**
 * The error for the operator's log. GraphQL's own errors repeat the values that they are about and hold the whole document;
 * clients' data must not be logged.
 */
export function withoutInput(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) {
    return error;
  }
  if (error.originalError !== undefined) {
    return withoutInput(error.originalError);
  }
  const message = error.message.replace(BEFORE_VALUE, ' … (the value is not logged)');
  const shown = new Error(message);
  shown.name = error.name;
  // The first lines of a stack are the message.
  shown.stack = `${error.name}: ${message}${(error.stack ?? '').slice(`${error.name}: ${error.message}`.length)}`;
  return shown;
}
