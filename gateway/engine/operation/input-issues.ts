import { type ASTNode, GraphQLError, type GraphQLInputType } from 'graphql';

/** Where a value stands: the argument or variable, then fields and list indexes. */
export type InputPath = readonly (string | number)[];

/** `input.items[0].amount` */
function writeInputPath(path: InputPath): string {
  return path.reduce<string>(
    (text, segment) =>
      typeof segment === 'number' ? `${text}[${segment}]` : text === '' ? segment : `${text}.${segment}`,
    '',
  );
}

/** A name that a message may repeat. A card number, for example, is not a name. */
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

/** The issue of one value; `extensions.path` says where it stands. */
export function inputIssue(
  message: string,
  path: InputPath,
  node?: ASTNode,
  code = 'BAD_USER_INPUT',
): GraphQLError {
  return new GraphQLError(message, { nodes: node ?? null, extensions: { code, path } });
}
