import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, print } from 'graphql';
import { withNodes } from './extend-document.ts';
import { fromNodeId, toNodeId } from './node-id.ts';

describe('node ids', () => {
  test.each([
    ['User', 'usr_1'],
    ['Operation', 'corr:1|x'],
    ['RequestMoney', 'AB12cd34'],
    ['Operation', 'línea\n2'],
  ])('%s %s is read back', (type, id) => {
    const nodeId = toNodeId({ type, id });
    expect(nodeId).toMatch(/^[\w-]+$/);
    expect(fromNodeId(nodeId)).toEqual({ type, id });
  });

  test.each([
    ['nothing', ''],
    ['text', 'User:usr_1'],
    ['no id', Buffer.from('User:').toString('base64url')],
    ['no type', Buffer.from(':usr_1').toString('base64url')],
    ['another spelling', `${toNodeId({ type: 'User', id: 'usr_1' })}=`],
    ['no UTF-8', Buffer.from([0x55, 0x3a, 0xff]).toString('base64url')],
    ['too much', toNodeId({ type: 'User', id: 'x'.repeat(4096) })],
  ])('%s is none', (_what, nodeId) => {
    expect(fromNodeId(nodeId)).toBeUndefined();
  });
});

describe('withNodes', () => {
  const OWN = `
    directive @key(fields: String!, resolvable: Boolean) repeatable on OBJECT
    directive @requiresScopes(scopes: [[String!]!]!) on FIELD_DEFINITION
    type Query { link: Link }
    type Link @key(fields: "id") { id: ID! url: String! }
    type Payload { ok: Boolean }
  `;
  const extended = withNodes(parse(OWN), [
    { name: 'Link', key: 'id' },
    { name: 'RequestMoney', key: 'referenceId', keyType: 'String' },
  ]);

  test('makes a valid schema whose nodes are those types', () => {
    const schema = buildSchema(print(extended));
    expect(schema.getPossibleTypes(schema.getType('Node') as never).map(({ name }) => name)).toEqual([
      'Link',
      'RequestMoney',
    ]);
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(['link', 'node']);
  });

  test('adds the field to an existing type, or else a new type with its key', () => {
    const text = print(extended);
    expect(text.match(/@key\(fields: "id"\)/g)).toHaveLength(1);
    expect(text).toMatch(
      /type RequestMoney implements Node @key\(fields: "referenceId"\) \{\s+referenceId: String!/,
    );
    expect(text).toMatch(/type Payload \{/);
  });
});
