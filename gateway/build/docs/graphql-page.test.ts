import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { graphqlPage } from './graphql-page.ts';
import { GRAPHQL_PARTS } from './graphql-parts.ts';

const schema = buildSchema(readFileSync(join(projectRoot(), 'schema', 'api.graphql'), 'utf8'));
const pages = new Map(
  GRAPHQL_PARTS.map((part) => [
    part,
    graphqlPage({ name: `graphql/${part}`, label: part }, part, schema).html,
  ]),
);
const all = [...pages.values()].join('\n');

test('the reference has every type, field, argument and enum value of the schema once', () => {
  const roots = ['Query', 'Mutation', 'Subscription'];
  for (const type of Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))) {
    if (isObjectType(type) || isInterfaceType(type)) {
      const ids = Object.keys(type.getFields()).map((field) =>
        roots.includes(type.name) ? `<h2 id="${field}">` : `<dt id="${type.name}.${field}">`,
      );
      for (const id of ids) {
        expect([id, all.split(id).length]).toEqual([id, 2]);
      }
    } else if (isInputObjectType(type) || isEnumType(type)) {
      const [, entry = ''] = all.split(`<h2 id="${type.name}">`);
      const members = isEnumType(type) ? type.getValues() : Object.values(type.getFields());
      const terms = entry.split('<h2 ')[0]?.match(/<dt><code>\w+/g) ?? [];
      expect(terms).toEqual(members.map(({ name }) => `<dt><code>${name}`));
    }
  }
});

test('a type is linked from where it is used, with its wrappers, defaults and descriptions', () => {
  const small = buildSchema(`
    "All \`queries\` <b>."
    type Query {
      "Finds."
      find("How many." first: Int = 20, kind: [Kind!]! = [A]): [Thing!]!
    }
    enum Kind { "The first." A }
    type Thing { "Its kind." kind: Kind @deprecated(reason: "Use <other>.") }
  `);
  const { html, headings } = graphqlPage({ name: 'graphql/queries', label: 'Queries' }, 'queries', small);
  expect(html).toContain('Gives <code>[<a href="../graphql/types#Thing">Thing</a>!]!</code>');
  expect(html).toContain('<dt><code>first: Int = 20</code></dt>\n<dd>How many.</dd>');
  expect(html).toContain('kind: [<a href="../graphql/values#Kind">Kind</a>!]! = [A]');
  expect(headings.map(({ id }) => id)).toEqual(['find']);
  const types = graphqlPage({ name: 'graphql/types', label: 'Types' }, 'types', small).html;
  expect(types).toContain('<strong>Deprecated:</strong> Use &lt;other&gt;. Its kind.');
});
