import { describe, expect, test } from '@jest/globals';
import { buildSchema, isObjectType, parse, print } from 'graphql';
import type { OperationContext } from '../../operation/collect-fields.ts';
import { readOperation } from '../../operation/document.ts';
import { divideRoot } from '../root-fields.ts';
import { toNormalForm } from './normal-form.ts';
import { createResponseKeys } from './response-keys.ts';

const schema = buildSchema(`
  type Query { a: A n: [N] u: U f(x: Int): A }
  type Mutation { one(x: Int): A two: A }
  interface N { id: ID child: N }
  type A implements N { id: ID child: N name(x: Int, y: Int): String b: B }
  type B implements N { id: ID child: A size: Int }
  union U = A | B
`);
const names = {
  all: new Set(['id', 'name', 'size']),
  required: new Set(['name']),
  requiredWithArguments: new Set<string>(),
};

function normalise(text: string, partlyHidden: string[] = []) {
  const valid = readOperation(text, null, schema);
  if ('errors' in valid) {
    throw valid.errors[0];
  }
  const { operation, fragments } = valid;
  const context: OperationContext = { schema, fragments, keys: createResponseKeys(names) };
  const rootType = schema.getRootType(operation.operation);
  if (!isObjectType(rootType)) {
    throw new Error('no root');
  }
  const { parts, introspection } = divideRoot(context, operation, rootType);
  const hints = { partlyHiddenTypes: new Set(partlyHidden), interfaceObjectKeys: new Map() };
  return { normal: toNormalForm({ operation, context, parts }, hints), introspection };
}

function documents(text: string, partlyHidden: string[] = []): (string | null)[] {
  const { normal } = normalise(text, partlyHidden);
  if ('errors' in normal) {
    throw normal.errors[0];
  }
  return normal.operations.map((operation) => operation && print(operation).replace(/\s+/g, ' '));
}

describe('the normal form', () => {
  test.each([
    [
      'fragments on one type are written out',
      '{ a { ...F ... on N { id } } } fragment F on A { name b { size } }',
      '{ a { name b { size } id } }',
    ],
    [
      'selections of one field are joined',
      '{ a { b { id } } a { b { size } name } }',
      '{ a { b { id size } name } }',
    ],
    [
      'conditions of fragments go to fields, which those that exclude each other leave out',
      'query ($x: Boolean!) { a { ... @skip(if: $x) { id name @include(if: $x) } } }',
      'query ($x: Boolean!) { a { id @skip(if: $x) } }',
    ],
    [
      'of reasons to select a field those count that do not need others',
      'query ($x: Boolean!, $y: Boolean!) { a @include(if: $x) { id } ... @include(if: $x) { a @include(if: $y) { name } } }',
      'query ($x: Boolean!, $y: Boolean!, $_if0: Boolean!) { a @include(if: $x) { id @include(if: $x) name @include(if: $_if0) } }',
    ],
    [
      'several conditions become a variable, whose name is no one else’s',
      'query ($x: Boolean!, $_if: Boolean!) { a { id @include(if: $x) @skip(if: $_if) ... @skip(if: $_if) { name @include(if: $x) } } }',
      'query ($x: Boolean!, $_if: Boolean!, $__if0: Boolean!) { a { id @include(if: $__if0) name @include(if: $__if0) } }',
    ],
    [
      'selections under the same conditions are joined',
      'query ($x: Boolean!) { a @include(if: $x) { id } a @include(if: $x) { name } }',
      'query ($x: Boolean!) { a @include(if: $x) { id name } }',
    ],
    [
      'an unconditional selection takes the others in',
      'query ($x: Boolean!) { a { id } a @include(if: $x) { name } }',
      'query ($x: Boolean!) { a { id name @include(if: $x) } }',
    ],
    [
      'literals are decided',
      '{ a @skip(if: false) { id name @include(if: false) } f @include(if: false) { id } }',
      '{ a { id } }',
    ],
    ['nothing left is a typename', '{ a { id @skip(if: true) } }', '{ a { __typename } }'],
    [
      'an interface alone needs no types',
      '{ n { id ... on N { child { id } } } }',
      '{ n { id child { id } } }',
    ],
    [
      'types below an interface',
      '{ n { id ... on A { name } ...F } } fragment F on N { ... on B { size } }',
      '{ n { id ... on A { name } ... on B { size } } }',
    ],
    [
      'what is selected of all types goes to the interface',
      '{ n { ... on A { x: id name } ... on B { x: id } } }',
      '{ n { x: id ... on A { name } } }',
    ],
    [
      'where that is all, or may be left out, the name is selected',
      'query ($x: Boolean!) { n { ... on A { x: id } ... on B { x: id } } u { ... on A { id @skip(if: $x) } } }',
      'query ($x: Boolean!) { n { __typename x: id } u { __typename ... on A { id @skip(if: $x) } } }',
    ],
    [
      'not where a type is narrower',
      '{ n { ... on A { child { id } } ... on B { child { id } } } }',
      '{ n { ... on A { child { id } } ... on B { child { id } } } }',
    ],
    [
      'abstract fragments below a union',
      '{ u { ... on N { id } ... on A { id name } } }',
      '{ u { ... on A { id name } ... on B { id } } }',
    ],
    ['typename loses its alias', '{ a { t: __typename id } t: __typename }', '{ a { __typename id } }'],
    [
      'hazardous keys',
      '{ a { id: name(x: 1) name: id toString: id x: id } f: f { name(y: 2, x: 1) } }',
      '{ a { _rk0: name(x: 1) _rk1: id _rk2: id x: id } f { _rk1: name(y: 2, x: 1) } }',
    ],
  ])('%s', (_name, text, expected) => {
    expect(documents(text)).toEqual([expected]);
    expect(print(parse(expected)).replace(/\s+/g, ' ')).toBe(expected);
  });

  test('each root field of a mutation is a document of its own', () => {
    expect(
      documents(
        'mutation M($x: Int) { one(x: $x) { id } t: two { id } ...F } fragment F on Mutation { one(x: $x) { name } __typename }',
      ),
    ).toEqual(['mutation M($x: Int) { one(x: $x) { id name } }', 'mutation M($x: Int) { t: two { id } }']);
  });

  test('introspection is set apart', () => {
    const { normal, introspection } = normalise(
      'query ($x: Boolean!) { ...F @include(if: $x) } fragment F on Query { s: __schema { queryType { name } } a { id } }',
    );
    if ('errors' in normal || introspection === null) {
      throw new Error('no introspection');
    }
    expect(print(introspection).replace(/\s+/g, ' ')).toBe(
      '{ s: __schema @include(if: $x) { queryType { name } } }',
    );
    expect(normal.operations).toHaveLength(1);
    expect(documents('{ __typename __schema { queryType { name } } }')).toEqual([]);
  });

  test('selects the names of types that may be hidden', () => {
    expect(documents('{ n { id } }', ['N'])).toEqual(['{ n { __typename id } }']);
  });

  test('a document that expands to too many fields fails', () => {
    const levels = Array.from(
      { length: 11 },
      (_x, i) =>
        `fragment F${i} on A { x: child { ...G${i} } y: child { ...G${i} } } fragment G${i} on N { ... on A { ...F${i + 1} } }`,
    );
    const text = `{ a { ...F0 } } ${levels.join('\n')} fragment F11 on A { id }`;
    const { normal } = normalise(text);
    expect(normal).toMatchObject({
      errors: [
        {
          message: 'The operation selects more than 5000 fields.',
          extensions: { code: 'OPERATION_TOO_LARGE' },
        },
      ],
    });
  });
});
