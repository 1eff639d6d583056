import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { acme, type Bench, createBench, imageOf, jsonOf, must, USER_DATA } from '../testing.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
});
afterAll(() => store.close());

const METADATA = { note: 'Tlaltecuhtli-77', agent: { name: 'Agente Moctezuma' } };
const FAILURE = 'Account of Cuitlahuac-520 is closed';
const RESULT = { reason: 'document-of-Chimalpopoca' };

/** Every text within a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('nothing personal can be read in the store', async () => {
  const image = imageOf('jpeg', 4_096);
  const link = await bench.newLink({
    userData: { ...USER_DATA, idImage: image.uri },
    metadata: METADATA,
  });
  const raised = must(
    await bench.raise({ partnerId: 'acme', linkId: link.linkId, fields: ['idNumber', 'idImage'] }),
  );
  const answer = {
    referenceId: raised.referenceId,
    userData: { idNumber: 'ZW-00413-X', idImage: image.uri },
  };
  must(await bench.fulfil(acme, raised.dataRequestId, answer));
  must(await bench.createTicket(acme, { linkId: link.linkId }));
  must(await bench.updateCip(link.userId, jsonOf({ status: 'failed', result: RESULT })));

  const change = {
    accountId: 'acme/sandbox' as const,
    linkId: link.linkId,
    operationId: 'op-1',
    at: bench.now,
    since: bench.now,
  };
  const failed = { ...change, previousStatus: 'Sent', status: 'Failed', failureReason: FAILURE };
  await bench.deps.transaction((unit) => bench.port.recordOperationChange(failed, unit));
  expect((await bench.timeline(link.linkId)).at(-1)).toMatchObject({ error: FAILURE });

  const shownAnywhere = new Set(['passport']);
  const personal = [
    ...textsOf(USER_DATA),
    ...textsOf(METADATA),
    ...textsOf(RESULT),
    'ZW-00413-X',
    FAILURE,
  ].filter((text) => !shownAnywhere.has(text));
  const collections = await store.connection.listCollections();
  expect(collections.length).toBeGreaterThan(5);
  const found: string[] = [];
  let seen = 0;
  for (const { name } of collections) {
    const documents = await store.connection.collection(name).find({}).toArray();
    const bytes = documents.map((document) => rawOf(document)).join('\n');
    seen += bytes.includes(link.referenceId) ? 1 : 0;
    found.push(...personal.filter((text) => bytes.includes(text)).map((text) => `${name}: ${text}`));
    found.push(...(bytes.includes(image.bytes.toString('latin1').slice(0, 64)) ? [`${name}: image`] : []));
  }
  expect(found).toEqual([]);
  // Data that is not personal is found: links, users and their claims, data requests.
  expect(seen).toBe(4);
  const read = (await bench.service.findByIds(acme, [link.linkId])).get(link.linkId);
  expect(read).toMatchObject({
    userData: { ...USER_DATA, idNumber: 'ZW-00413-X' },
    attached: { metadata: METADATA },
  });
});

/** All that a document holds, binary fields as the text that their bytes would be. */
function rawOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'buffer' in value) {
    return Buffer.from(value.buffer as Uint8Array).toString('latin1');
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    return Object.entries(value)
      .map(([key, member]) => `${key} ${rawOf(member)}`)
      .join('\n');
  }
  return String(value);
}

test('a sealed value opens in its own place alone', async () => {
  const first = await bench.newLink({ userData: USER_DATA });
  const second = await bench.newLink({ userData: { idNumber: 'B' } });
  const links = store.connection.collection<{ _id: string; userData: unknown }>('links');
  const stored = await links.findOne({ _id: first.linkId });
  await links.updateOne({ _id: second.linkId }, { $set: { userData: stored?.userData } });
  await expect(bench.service.findByIds(acme, [second.linkId])).rejects.toThrow();
});
