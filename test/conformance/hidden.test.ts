import { expect, test } from '@jest/globals';
import { printSchema } from 'graphql';
import { testContext } from '../../gateway/engine/testing/index.ts';
import { answers, describeGraph } from './support/suite.ts';

describeGraph(
  '@inaccessible',
  {
    subgraphs: {
      staff: `
        type Query { staff: [Worker!] boss: Worker! all: [Anyone] grades: [Grade] grade: Grade! secret: Int @inaccessible find(by: By, hidden: Int @inaccessible): Person }
        interface Worker { name: String }
        type Person implements Worker @key(fields: "id") { id: ID! @inaccessible name: String grade: Grade pay: Int @inaccessible }
        type Agent implements Worker @inaccessible { name: String }
        union Anyone = Person | Agent
        enum Grade { LOW HIGH TOP @inaccessible }
        input By { name: String code: Int @inaccessible }`,
      pay: `type Person @key(fields: "id") { id: ID! @inaccessible pay: Int @external bonus: Int @requires(fields: "pay") }`,
    },
    resolvers: {
      Query: {
        staff: () => [{ __typename: 'Person', id: '1' }],
        boss: () => ({ __typename: 'Agent', id: '7' }),
        all: () => [
          { __typename: 'Agent', id: '7' },
          { __typename: 'Person', id: '1' },
        ],
        grades: () => ['LOW', 'TOP', 'HIGH'],
        grade: () => 'TOP',
        find: () => ({ id: '1' }),
      },
      Person: {
        name: ({ id }) => `person ${String(id)}`,
        grade: () => 'TOP',
        pay: () => 20,
        bonus: ({ pay }) => Number(pay) / 2,
      },
    },
    references: { Person: (reference) => ({ ...reference }) },
  },
  (graph) => {
    answers(graph, [
      {
        name: 'keys and required fields work unseen',
        query: '{ find { name bonus } }',
        data: { find: { name: 'person 1', bonus: 10 } },
      },
      {
        name: 'an object of a hidden type is null',
        query: '{ all { __typename ... on Person { name } } }',
        data: { all: [null, { __typename: 'Person', name: 'person 1' }] },
        errors: [['all', 0]],
      },
      {
        name: 'and takes with it what may not be null',
        query: '{ boss { __typename } }',
        data: null,
        errors: [['boss']],
      },
      {
        name: 'also where its name is not selected',
        query: '{ boss { name } }',
        data: null,
        errors: [['boss']],
      },
      {
        name: 'a hidden value of an enum is null',
        query: '{ grades find { grade } }',
        data: { grades: ['LOW', null, 'HIGH'], find: { grade: null } },
        errors: [
          ['grades', 1],
          ['find', 'grade'],
        ],
      },
      { name: 'a hidden value that may not be null', query: '{ grade }', data: null, errors: [['grade']] },
    ]);

    test.each([
      '{ secret }',
      '{ find { id } }',
      '{ find { pay } }',
      '{ find(hidden: 1) { name } }',
      '{ find(by: { code: 1 }) { name } }',
      '{ all { ... on Agent { name } } }',
      'query($g: Agent) { grades }',
    ])('%s cannot be selected', async (query) => {
      const { errors } = await graph().engine.execute({ query }, testContext());
      expect(errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    });

    test('neither the schema nor messages name hidden things', async () => {
      const { engine } = graph();
      const results = await Promise.all(
        [
          '{ boss { __typename } }',
          '{ all { __typename } }',
          '{ grade }',
          '{ secre }',
          '{ find(by: { cod: 1 }) { nam } }',
        ].map((query) => engine.execute({ query }, testContext())),
      );
      expect(JSON.stringify(results)).not.toMatch(/Agent|TOP|secret/);
      expect(printSchema(engine.publicSchema)).not.toMatch(/Agent|TOP|secret|pay:|hidden|code|inaccessible/);
    });
  },
);
