import { type ASTNode, GraphQLError, type GraphQLInputType } from 'graphql';

/** Where a value stands: the argument or variable, then fields and list indexes. */
export type InputPath = readonly (string | number)[];

/** Most faults of a request that its answer names. */
export const MOST_ISSUES = 20;

/** `input.items[0].amount` */
export function writeInputPath(path: InputPath): string {
  return path.reduce<string>(
    (text, segment) =>
      typeof segment === 'number' ? `${text}[${segment}]` : text === '' ? segment : `${text}.${segment}`,
    '',
  );
}

/** A name that may be shown to the client again: a card number, for one, is none. */
const NAME = /^[_A-Za-z][_0-9A-Za-z]{0,63}$/;

/**
 * Messages about values of a client. They name types and places, and never what was written there: it may be a secret,
 * and messages get into logs.
 */
export const inputMessages = {
  value: (type: GraphQLInputType, path: InputPath) =>
    `The value at "${writeInputPath(path)}" is not of the type "${type}".`,
  missingField: (field: string, type: GraphQLInputType, path: InputPath) =>
    `The value at "${writeInputPath(path)}" lacks the field "${field}" of the type "${type}".`,
  unknownField: (field: string, type: GraphQLInputType, path: InputPath) =>
    `The value at "${writeInputPath(path)}" has a field ${NAME.test(field) ? `"${field}" ` : ''}that the type "${type}" does not define.`,
  oneOf: (type: GraphQLInputType, path: InputPath) =>
    `The value at "${writeInputPath(path)}" must have exactly one field of the type "${type}".`,
};

/** The fault of one value; `extensions.path` says where it stands. */
export function inputIssue(
  message: string,
  path: InputPath,
  node?: ASTNode,
  code = 'BAD_USER_INPUT',
): GraphQLError {
  return new GraphQLError(message, { nodes: node ?? null, extensions: { code, path } });
}

/**
 * The first faults, and one more that says how many were left out.
 *
 * @param found how many there were; more than `issues` where they were not all kept
 */
export function capIssues(
  issues: readonly GraphQLError[],
  found = issues.length,
  most = MOST_ISSUES,
): GraphQLError[] {
  const named = issues.slice(0, most);
  if (found <= named.length) {
    return named;
  }
  const message = `${found - named.length} more errors were left out.`;
  const code = named[0]?.extensions.code ?? 'BAD_USER_INPUT';
  return [...named, new GraphQLError(message, { extensions: { code, omitted: found - named.length } })];
}
