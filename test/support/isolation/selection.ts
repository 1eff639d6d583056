import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  OperationTypeNode,
} from 'graphql';
import { IS_FULL } from '../depth.ts';
import type { GraphArguments } from './variant.ts';

interface Extent {
  /** How many entities one within another: other objects are parts of them and end by themselves. */
  readonly depth: number;
  /** Whether lists of an entity's belong to it: they grow with each call. */
  readonly hasLists: boolean;
}

/** The possible selections on a type, to an extent; empty for a leaf. */
function selectionOf(type: GraphQLOutputType, extent: Extent): string {
  const named = getNamedType(type);
  return isObjectType(named) ? fieldsOf(named, extent).join(' ') : '';
}

function fieldsOf(type: GraphQLObjectType, { depth, hasLists }: Extent): string[] {
  const left = isEntity(type) ? depth - 1 : depth;
  if (left < 0) {
    return [];
  }
  return Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    // An edge's node is among the list's nodes already.
    const isTwice = type.name.endsWith('Edge') && field.name === 'node';
    if (isTwice || field.args.some(isRequiredArgument) || (isEntityList(field) && !hasLists)) {
      return [];
    }
    const selected = selectionOf(named, { depth: left, hasLists });
    return isLeafType(named) ? field.name : selected === '' ? [] : `${field.name} { ${selected} }`;
  });
}

function isEntity(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'Node');
}

/** Figures of an entity's lists: they change with each call, as the lists do. */
const OF_LISTS: ReadonlySet<string> = new Set(['paymentTotals', 'lastActivityAt']);

function isEntityList({ name, type, args }: GraphQLField<unknown, unknown>): boolean {
  return (args.length > 0 && isObjectType(getNamedType(type))) || OF_LISTS.has(name);
}

/** The fields of a root type, by name. */
export function rootFieldsOf(
  schema: GraphQLSchema,
  operation: OperationTypeNode,
): Readonly<Record<string, GraphQLField<unknown, unknown>>> {
  return schema.getRootType(operation)?.getFields() ?? {};
}

/**
 * A document with one root field, which takes those of its arguments that are given as variables of the same name.
 * @param operation of which the field is
 */
export function documentOf(
  schema: GraphQLSchema,
  operation: OperationTypeNode,
  { name, args, type }: GraphQLField<unknown, unknown>,
  { variables: given, selection, depth }: GraphArguments,
): string {
  const named = getNamedType(type);
  const usual = extentOf(operation, named);
  const extent = { ...usual, depth: depth ?? usual.depth };
  const used = args.filter((argument) => argument.name in given);
  const variables = used.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  const passed = used.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const selected =
    isInterfaceType(named) && selection !== undefined
      ? `__typename ... on ${selection} { ${selectionOf(schema.getType(selection) as GraphQLObjectType, extent)} }`
      : (selection ?? selectionOf(named, extent));
  const inBrackets = (text: string) => (text === '' ? '' : `(${text})`);
  const ofIt = selected === '' ? '' : ` { ${selected} }`;
  return `${operation} ${inBrackets(variables)} { ${name}${inBrackets(passed)}${ofIt} }`;
}

const DEPTH = 2;

/**
 * How much is selected of each record. Lists of a record's change with each mutation. In the short form only the fields for one
 * record have them: in a list, or in each event of many subscriptions, they are queries for each of hundreds.
 */
function extentOf(operation: OperationTypeNode, type: GraphQLNamedType): Extent {
  const isList = !IS_FULL && type.name.endsWith('Connection');
  const isLive = !IS_FULL && operation === OperationTypeNode.SUBSCRIPTION;
  const hasLists = operation !== OperationTypeNode.MUTATION && !isList && !isLive;
  return { depth: isList ? 1 : DEPTH, hasLists };
}
