import type { DocumentTypeDecoration, TypedDocumentNode } from '@graphql-typed-document-node/core';
import { describe, expect, test } from '@jest/globals';
import { parse, print } from 'graphql';
import type { Decimal, LiveEvent, LiveIterator, LiveList } from './index.ts';
import { settle } from './testing/fake-sockets.ts';
import { LIST, read, SUBSCRIPTION, say, start } from './testing/started-client.ts';
import { textOf } from './typed-document.ts';

interface List {
  readonly latestEventCursor: string;
  readonly things: readonly { readonly n: number; readonly amount: Decimal }[];
}
interface Change {
  readonly changed: { readonly cursor: string; readonly n: number };
}
type ListVariables = { first?: number | null; where: { n: number } };
type ChangeVariables = { after?: string | null; where: { n: number } };

/** As graphql-codegen writes it with `documentMode: 'string'`. */
class TypedDocumentString<Result, Variables>
  extends String
  implements DocumentTypeDecoration<Result, Variables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<Result, Variables>['__apiType']>;
  private readonly value: string;

  constructor(value: string) {
    super(value);
    this.value = value;
  }

  override toString(): string & DocumentTypeDecoration<Result, Variables> {
    return this.value;
  }
}

const LIST_TEXT = new TypedDocumentString<List, ListVariables>(LIST);
const CHANGE_TEXT = new TypedDocumentString<Change, ChangeVariables>(SUBSCRIPTION);
const LIST_TREE: TypedDocumentNode<List, ListVariables> = parse(LIST);
const CHANGE_TREE: TypedDocumentNode<Change, ChangeVariables> = parse(SUBSCRIPTION);
const where = { n: 1 };

describe('the text of a document', () => {
  test('is the text of a String object, byte for byte', () => {
    const text = '\n  query { a }  # as it is';
    expect([textOf(text), textOf(new TypedDocumentString(text))]).toEqual([text, text]);
  });

  test('is printed from a parsed document', () => {
    const text = 'query Q($a: I = {b: ["c"]}) { ...F } fragment F on Query { d: e(f: $a) @g { h } }';
    expect(textOf(parse(text))).toBe(print(parse(text)));
  });
});

test.each([
  ['texts', LIST_TEXT, CHANGE_TEXT, LIST, SUBSCRIPTION],
  ['parsed documents', LIST_TREE, CHANGE_TREE, print(LIST_TREE), print(CHANGE_TREE)],
])('a list of typed %s is followed', async (_name, list, change, listText, changeText) => {
  const started = start();
  const { got } = read(
    started.client.listThenFollow({
      list: { query: list, variables: { where } },
      follow: { query: change, variables: { where } },
    }),
  );
  await settle();
  expect(started.http.last().body).toEqual({ query: listText, variables: { where } });
  started.http.last().json({ data: { latestEventCursor: 'c4', things: [] } });
  await settle();
  await started.sockets.last().accept();
  const subscribe = started.sockets.last().sent.find(({ type }) => type === 'subscribe');
  expect(subscribe?.payload).toEqual({ query: changeText, variables: { where, after: 'c4' } });
  say(started, 5);
  await settle();
  expect(got.map(({ kind }) => kind)).toEqual(['list', 'event']);
  started.client.close();
});

type IsEqual<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Compiles only for a claim that is true: `npm run check:types` checks it. */
const claim = <Claim extends true>(...checked: readonly [Claim?]): void => void checked;
type ItemOf<Items> = Items extends LiveIterator<infer Item> ? Item : never;

describe('the types of a document', () => {
  test('are those of the items', () => {
    const { client, http } = start();
    const listed = client.listThenFollow({
      list: { query: LIST_TEXT, variables: { where } },
      follow: { query: CHANGE_TREE, variables: { where } },
    });
    claim<IsEqual<ItemOf<typeof listed>, LiveList<List> | LiveEvent<Change>>>();
    const followed = client.follow({ query: CHANGE_TEXT, variables: { where }, after: 'c1' });
    claim<IsEqual<ItemOf<typeof followed>, LiveEvent<Change>>>();
    const ofText = client.follow({ query: SUBSCRIPTION, variables: { any: 1 } });
    claim<IsEqual<ItemOf<typeof ofText>, LiveEvent<Readonly<Record<string, unknown>>>>>();
    const named = client.follow<Change>({ query: SUBSCRIPTION });
    claim<IsEqual<ItemOf<typeof named>, LiveEvent<Change>>>();
    // Nothing is opened before an iterator is read.
    expect(http.calls).toEqual([]);
  });

  test('are those of the variables', () => {
    const { client, http } = start();
    // @ts-expect-error the variable `where` is missing
    client.follow({ query: CHANGE_TEXT });
    // @ts-expect-error a wrong type
    client.follow({ query: CHANGE_TREE, variables: { where: { n: '1' } } });
    // @ts-expect-error a variable that the document does not have
    client.follow({ query: CHANGE_TEXT, variables: { where, last: 1 } });
    // @ts-expect-error the client sets `after`
    client.follow({ query: CHANGE_TEXT, variables: { where, after: 'c1' } });
    client.listThenFollow({
      // A list without variables.
      list: { query: new TypedDocumentString<List, { [key: string]: never }>(LIST) },
      // @ts-expect-error the variable `where` is missing
      follow: { query: CHANGE_TREE },
    });
    expect(http.calls).toEqual([]);
  });
});

test('a Decimal is a string, and no other value is one', () => {
  const textOfDecimal = (amount: Decimal): string => amount;
  // @ts-expect-error any string
  expect(textOfDecimal('1.50')).toBe('1.50');
  // @ts-expect-error a number
  expect(textOfDecimal(1.5)).toBe(1.5);
});
