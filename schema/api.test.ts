import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  buildSchema,
  type DocumentNode,
  GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  isLeafType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  Kind,
  parse,
} from 'graphql';
import { findUndescribed } from './descriptions.ts';

const sdl = readFileSync(join('schema', 'api.graphql'), 'utf8');
const schema = buildSchema(sdl);
const ownTypes = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

test('everything that clients see has a description, including the root types', () => {
  expect(findUndescribed(sdl)).toEqual([]);
  expect(findUndescribed('type Query { "One." a: Int }')).toEqual(['Query']);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  expect(roots.map((root) => Boolean(root?.description))).toEqual([true, true, true]);
});

test('every custom scalar names its specification', () => {
  const scalars = ownTypes.filter(isScalarType);
  expect(scalars.filter(({ specifiedByURL }) => !specifiedByURL).map(({ name }) => name)).toEqual([]);
  expect(scalars.map(({ name }) => name)).toContain('Decimal');
});

/** Fields with contact or payment data. Their resolvers pass it through `Reveals`; a new one joins them. */
const REVEALED = [
  ...['Contact.email', 'Contact.phoneNumber', 'LinkUserData.dob', 'LinkUserData.paymentMethod'],
  ...['PaymentMethod.number', 'User.cipResult', 'User.dob', 'User.email', 'User.phoneNumber'],
  ...['WebhookAttempt.answer', 'WebhookDelivery.body'],
];
/**
 * Fields that only have such a name: a masked number, the address of a picture that only keys can open, counts of
 * attempts, places and accounts of the journal.
 */
const HARMLESS = [
  ...['LinkUserData.idImageUrl', 'LinkUserData.idNumber', 'TimelineWebhookAttempt.number'],
  'WebhookAttempt.number',
  ...['JournalEntry.number', 'JournalLine.account', 'StatementAmount.account'],
  // Addresses of the partner's own operations, for administrators, and a flag.
  ...['OperationalEventsConfig.emails', 'OperationalEventsConfig.sendsMail'],
];
const CONTACT_DATA =
  /phone|mail|dob|birth|number$|account|iban|card|paymentMethod$|address|image|result$|body$|^answer$|payload/i;

test('every field whose name suggests contact or payment data is listed as recorded or harmless', () => {
  const found = ownTypes
    .filter((type) => type instanceof GraphQLObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type: type.name, field })))
    .filter(({ field }) => isLeafType(getNamedType(field.type)) && CONTACT_DATA.test(field.name))
    .map(({ type, field }) => `${type}.${field.name}`);
  expect(found.sort()).toEqual([...REVEALED, ...HARMLESS].sort());
});

test('clients see no unreachable type', () => {
  // A schema built from the roots has all types that they reach, and the types of their interfaces.
  const roots = {
    query: schema.getQueryType() as GraphQLObjectType,
    mutation: schema.getMutationType() ?? null,
    subscription: schema.getSubscriptionType() ?? null,
  };
  const interfaces = new Set(Object.values(new GraphQLSchema(roots).getTypeMap()).map(({ name }) => name));
  const implementing = ownTypes.filter(
    (type) =>
      type instanceof GraphQLObjectType && type.getInterfaces().some(({ name }) => interfaces.has(name)),
  );
  const reached = new GraphQLSchema({
    ...roots,
    types: implementing,
    directives: schema.getDirectives().filter(isSpecifiedDirective),
  });
  const names = ownTypes.map(({ name }) => name);
  expect(names.filter((name) => !reached.getType(name))).toEqual([]);
});

test('the trusted documents have each operation and each fragment once, so that tools take them as one set', () => {
  const folder = join('schema', 'operations');
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  const documents = names.map((name) => parse(readFileSync(join(folder, name), 'utf8')));
  expect(documents.length).toBeGreaterThan(30);
  for (const kind of [Kind.FRAGMENT_DEFINITION, Kind.OPERATION_DEFINITION] as const) {
    const defined = documents.flatMap((document) => namesOf(document, kind));
    expect(defined.filter((name, index) => defined.indexOf(name) !== index)).toEqual([]);
    expect(defined.length).toBeGreaterThan(0);
  }
});

function namesOf({ definitions }: DocumentNode, kind: Kind.FRAGMENT_DEFINITION | Kind.OPERATION_DEFINITION) {
  return definitions.flatMap((definition) =>
    definition.kind === kind && definition.name ? [definition.name.value] : [],
  );
}
