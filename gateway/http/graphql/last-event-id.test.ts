import { describe, expect, test } from '@jest/globals';
import { parse, print } from 'graphql';
import type { GraphQLRequest } from '../../engine/index.ts';
import { resumeAfter } from './last-event-id.ts';

const same = (request: object, query: string) =>
  expect(print(parse((request as GraphQLRequest).query))).toBe(print(parse(query)));

describe('a stream that is resumed by Last-Event-ID', () => {
  test('starts after that event, with its other arguments', () => {
    const resumed = resumeAfter({ query: 'subscription { changed(id: "7") { status } }' }, 'c1');
    same(resumed, 'subscription ($lastEventId: String) { changed(id: "7", after: $lastEventId) { status } }');
    expect(resumed).toMatchObject({ variables: { lastEventId: 'c1' } });
  });

  test('has the same text for every event, so that all share a plan', () => {
    const query = 'subscription Mine($id: ID) { changed(id: $id) { status } }';
    const [one, two] = ['c1', 'c2'].map((cursor) => resumeAfter({ query, variables: { id: '7' } }, cursor));
    expect((one as GraphQLRequest).query).toBe((two as GraphQLRequest).query);
    expect(two).toMatchObject({ variables: { id: '7', lastEventId: 'c2' } });
  });

  test.each<[string, GraphQLRequest]>([
    ['a variable without a value', { query: 'subscription ($c: String) { changed(after: $c) { a } }' }],
    [
      'a variable that is null',
      { query: 'subscription ($c: String) { changed(after: $c) { a } }', variables: { c: null } },
    ],
  ])('takes the place of %s', (_name, request) => {
    expect(resumeAfter(request, 'c1')).toEqual({ ...request, variables: { c: 'c1' } });
  });

  test('replaces null', () => {
    same(
      resumeAfter({ query: 'subscription { changed(after: null) { a } }' }, 'c1'),
      'subscription ($lastEventId: String) { changed(after: $lastEventId) { a } }',
    );
  });

  test('finds the field in fragments, and picks the operation by its name', () => {
    const query = `
      query Other { a }
      subscription Mine { ...On ... on Subscription { ...On } }
      fragment On on Subscription { changed { a } }`;
    same(
      resumeAfter({ query, operationName: 'Mine' }, 'c1'),
      `subscription Mine($lastEventId: String) { ...On ... on Subscription { ...On } }
       fragment On on Subscription { changed(after: $lastEventId) { a } }`,
    );
  });

  test('does not reuse a variable of the document', () => {
    same(
      resumeAfter({ query: 'subscription ($lastEventId: ID) { changed(id: $lastEventId) { a } }' }, 'c1'),
      `subscription ($lastEventId: ID, $lastEventId_: String) {
        changed(id: $lastEventId, after: $lastEventId_) { a }
      }`,
    );
  });

  test.each<GraphQLRequest>([
    { query: 'subscription { changed(after: "c1") { a } }' },
    { query: 'subscription ($c: String) { changed(after: $c) { a } }', variables: { c: 'c1' } },
  ])('may name the same event in both places', (request) => {
    expect(resumeAfter(request, 'c1')).toBe(request);
  });

  test('replaces an older event in a variable', () => {
    const request = {
      query: 'subscription ($c: String) { changed(after: $c) { a } }',
      variables: { c: 'c0' },
    };
    expect(resumeAfter(request, 'c1')).toEqual({ ...request, variables: { c: 'c1' } });
  });

  test('replaces an older event in the document, which an EventSource repeats', () => {
    same(
      resumeAfter({ query: 'subscription { changed(after: "c0", id: "7") { a } }' }, 'c1'),
      'subscription ($lastEventId: String) { changed(id: "7", after: $lastEventId) { a } }',
    );
  });

  test.each([
    'subscription {',
    'subscription { a { x } b { x } }',
    'subscription { ...On } fragment On on Subscription { ...On }',
    'subscription { ...Gone }',
  ])('leaves %s to the check', (query) => {
    expect(resumeAfter({ query }, 'c1')).toEqual({ query });
  });

  test('leaves a document that is too long to the check', () => {
    const query = 'subscription { changed { a } }';
    expect(resumeAfter({ query }, 'c1', 5)).toEqual({ query });
    expect(resumeAfter({ query }, 'c1', 8)).not.toEqual({ query });
  });
});
