import { type ASTNode, GraphQLError, type GraphQLInputType } from 'graphql';

/** The path of a value: the argument or variable, then fields and list indexes. */
export type InputPath = readonly (string | number)[];

/** `input.items[0].amount` */
function writeInputPath(path: InputPath): string {
  return path.reduce<string>(
    (text, segment) =>
      typeof segment === 'number' ? `${text}[${segment}]` : text === '' ? segment : `${text}.${segment}`,
    '',
  );
}

/** Matches names that a message may repeat. A card number, for example, is not a name. */
const NAME = /^[_A-Za-z][_0-9A-Za-z]{0,63}$/;

/**
 * Messages about a client's values. They name types and places, but never repeat a value: it may be secret, and messages get
 * into logs.
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

/** Makes the issue of one value. `extensions.path` has the path of the value. */
export function inputIssue(
  message: string,
  path: InputPath,
  node?: ASTNode,
  code = 'BAD_USER_INPUT',
): GraphQLError {
  return new GraphQLError(message, { nodes: node ?? null, extensions: { code, path } });
}
