import { expect, test } from '@jest/globals';
import { DOCUMENT_NAMES } from '../../schema/operations/types.ts';
import { loadDocuments } from './documents.ts';

const CONTEXT = { principal: null, requestId: 'r1' };

/** A document that the engine of these tests has accepted. */
interface FakeDocument {
  readonly text: string;
  readonly ready: Promise<void>;
}

/** An engine that records prepared documents. Documents whose text contains `invalid` are invalid. */
function fakeEngine(invalid?: string) {
  const prepared: string[] = [];
  return {
    prepared,
    prepareTrusted: (text: string): FakeDocument => {
      prepared.push(text);
      const isValid = invalid === undefined || !text.includes(invalid);
      const ready: Promise<void> = isValid
        ? Promise.resolve()
        : Promise.reject(new Error(`${invalid} is not valid`));
      ready.catch(() => undefined);
      return { text, ready };
    },
    executeTrusted: async ({ text }: FakeDocument) => ({ data: { text } }),
  };
}

test('a document is prepared at its first call, and once for all calls', async () => {
  const engine = fakeEngine();
  const run = await loadDocuments(engine, { eager: false });
  expect(engine.prepared).toEqual([]);
  const call = () => run('partnerMe', {}, CONTEXT);
  const answers = await Promise.all([call(), call()]);
  expect([...answers, await call()]).toEqual(
    Array.from({ length: 3 }, () => ({ data: { text: expect.stringContaining('query PartnerMe') } })),
  );
  expect(engine.prepared).toHaveLength(1);
});

test('eager: every document is prepared before the first call', async () => {
  const engine = fakeEngine();
  const run = await loadDocuments(engine, { eager: true });
  expect(engine.prepared).toHaveLength(DOCUMENT_NAMES.length);
  await run('partnerMe', {}, CONTEXT);
  expect(engine.prepared).toHaveLength(DOCUMENT_NAMES.length);
});

test('eager: a document that is not valid fails the start', async () => {
  await expect(loadDocuments(fakeEngine('query PartnerMe'), { eager: true })).rejects.toThrow(
    'query PartnerMe is not valid',
  );
});
