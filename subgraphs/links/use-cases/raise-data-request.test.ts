import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import {
  acme,
  type Bench,
  codeOf,
  createBench,
  globex,
  imageOf,
  jsonOf,
  MINUTE_MS,
  must,
  USER_DATA,
} from '../testing.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());
beforeEach(async () => {
  bench = await createBench(store);
});

const raise = (linkId: string, fields: unknown = ['dob'], partnerId = 'acme') =>
  bench.raise(jsonOf({ partnerId, linkId, fields }));
const fulfil = (dataRequestId: string, referenceId: string, userData: unknown) =>
  bench.fulfil(acme, dataRequestId, jsonOf({ referenceId, userData }));
const linkOf = async (linkId: string) => (await bench.service.findByIds(acme, [linkId])).get(linkId);

describe('raising', () => {
  test('sends the partner the webhook, whatever it subscribes to', async () => {
    const { linkId, referenceId } = await bench.newLink();
    const request = must(await raise(linkId, ['idNumber', 'dob', 'idNumber']));
    expect(request).toMatchObject({ linkId, referenceId, fields: ['idNumber', 'dob'], status: 'open' });
    const [delivery] = bench.deliveries;
    expect(delivery).toMatchObject({
      accountId: 'acme/sandbox',
      event: 'user.data_request',
      scheme: 'partner',
      url: 'https://hook.acme.test',
      secret: 'whsec_acme_0001',
      entity: `link|${linkId}`,
      createdAt: bench.now,
    });
    expect(delivery?.body).toBe(
      `{"event":"user.data_request","data":{"dataRequestId":"${request.dataRequestId}","referenceId":"${referenceId}","linkId":"${linkId}","fields":["idNumber","dob"]},"timestamp":"2026-11-21T08:00:00.000Z"}`,
    );
    expect(bench.deliveries).toHaveLength(1);
  });

  test('sends nothing without a URL', async () => {
    const { linkId } = await bench.newLink({}, globex);
    must(await raise(linkId, ['dob'], 'globex'));
    expect(bench.deliveries).toEqual([]);
  });

  test.each([
    ['no fields', [], ['fields']],
    ['an unknown field', ['dob', 'shoe'], ['fields.1']],
    ['no list', 'dob', ['fields']],
    ['numbers', [5], ['fields.0']],
  ])('fails with %s', async (_what, fields, paths) => {
    const { linkId } = await bench.newLink();
    const raised = await raise(linkId, fields);
    expect(codeOf(raised)).toBe('VALIDATION_FAILED');
    expect(raised.ok ? [] : raised.failures.map(({ path }) => path?.join('.'))).toEqual(paths);
  });

  test('fails for a link that is unknown or over, and nothing is written', async () => {
    const { linkId } = await bench.newLink({ expiresInMinutes: 1 });
    expect(codeOf(await raise('lnk_nothing'))).toBe('LINK_NOT_FOUND');
    expect(codeOf(await raise(linkId, ['dob'], 'nobody'))).toBe('LINK_NOT_FOUND');
    bench.pass(MINUTE_MS);
    expect(codeOf(await raise(linkId))).toBe('LINK_REVOKED');
    must(await bench.service.revoke(acme, linkId));
    expect(codeOf(await raise(linkId))).toBe('LINK_REVOKED');
    expect(bench.deliveries).toEqual([]);
  });
});

describe('an answer', () => {
  test('is merged into the link, each field as a whole; part of the fields is enough', async () => {
    const { linkId, referenceId } = await bench.newLink({
      userData: { name: USER_DATA.name, idType: 'ine' },
    });
    const { dataRequestId } = must(await raise(linkId, ['name', 'idNumber', 'idImage', 'dob']));
    bench.pass(5_000);
    const image = imageOf('png');
    const name = { firstName: 'Ana', lastName: 'Ruiz' };
    const answered = must(
      await fulfil(dataRequestId, referenceId, { name, idNumber: 'A1', idImage: image.uri }),
    );
    expect(answered).toMatchObject({ dataRequestId, linkId, status: 'fulfilled', fulfilledAt: bench.now });
    expect(await linkOf(linkId)).toMatchObject({ hasImage: true });
    expect((await linkOf(linkId))?.userData).toEqual({ name, idType: 'ine', idNumber: 'A1' });
    expect(await bench.service.findImage(acme, linkId)).toEqual({
      contentType: 'image/png',
      bytes: image.bytes,
    });
    expect((await bench.timeline(linkId)).at(-1)).toMatchObject({
      type: 'data_request.fulfilled',
      data: { dataRequestId, fields: ['name', 'idNumber', 'idImage'] },
      durationMs: 5_000,
    });
  });

  test('is taken after the end of the link too', async () => {
    const { linkId, referenceId } = await bench.newLink({ expiresInMinutes: 1 });
    const { dataRequestId } = must(await raise(linkId));
    bench.pass(MINUTE_MS);
    must(await bench.service.revoke(acme, linkId));
    must(await fulfil(dataRequestId, referenceId, { dob: '1990-01-01' }));
  });

  test('fails for the first reason, and nothing is merged', async () => {
    const { linkId, referenceId } = await bench.newLink();
    const { dataRequestId } = must(await raise(linkId, ['dob', 'idNumber']));
    const good = { dob: '1990-01-01' };
    expect(codeOf(await fulfil('dr_nothing', 'x', { dob: '1990-13-01' }))).toBe('INVALID_REQUEST');
    expect(codeOf(await fulfil('dr_nothing', referenceId, good))).toBe('DATA_REQUEST_NOT_FOUND');
    const foreign = await bench.fulfil(globex, dataRequestId, { referenceId, userData: good });
    expect(codeOf(foreign)).toBe('DATA_REQUEST_NOT_FOUND');
    expect(codeOf(await fulfil(dataRequestId, 'x', { ...good, idType: 'ine' }))).toBe('REFERENCE_MISMATCH');
    const extra = await fulfil(dataRequestId, referenceId, { ...good, idType: 'ine', shoe: 42 });
    expect(extra).toEqual({
      ok: false,
      failures: ['idType', 'shoe'].map((field) => ({
        code: 'INVALID_REQUEST',
        message: 'was not requested',
        path: ['userData', field],
      })),
    });
    expect(codeOf(await fulfil(dataRequestId, referenceId, {}))).toBe('INVALID_REQUEST');
    expect((await linkOf(linkId))?.userData).toEqual({});
    must(await fulfil(dataRequestId, referenceId, good));
    expect(codeOf(await fulfil(dataRequestId, 'x', good))).toBe('DATA_REQUEST_ALREADY_FULFILLED');
    expect(await bench.timeline(linkId)).toHaveLength(3);
  });

  test('has no member that was not requested, whatever its name', async () => {
    const { linkId, referenceId } = await bench.newLink();
    const { dataRequestId } = must(await raise(linkId));
    const userData = '{"dob":"1990-01-01","__proto__":{"idNumber":"A1"},"constructor":{}}';
    const body = parse(`{"referenceId":"${referenceId}","userData":${userData}}`);
    expect(await bench.fulfil(acme, dataRequestId, body)).toEqual({
      ok: false,
      failures: ['__proto__', 'constructor'].map((field) => ({
        code: 'INVALID_REQUEST',
        message: 'was not requested',
        path: ['userData', field],
      })),
    });
    expect((await linkOf(linkId))?.userData).toEqual({});
  });

  test('names members that were not requested in short, printable text', async () => {
    const { linkId, referenceId } = await bench.newLink();
    const { dataRequestId } = must(await raise(linkId));
    const given = { ['x'.repeat(30_000)]: 1, 'a\ud800\u202e\u0000': 1 };
    expect(await fulfil(dataRequestId, referenceId, given)).toMatchObject({
      ok: false,
      failures: [
        { path: ['userData', `${'x'.repeat(63)}…`], message: 'was not requested' },
        { path: ['userData', 'a\ufffd\ufffd\ufffd'], message: 'was not requested' },
      ],
    });
  });

  test('twice at once: one is taken, one comes too late', async () => {
    const { linkId, referenceId } = await bench.newLink();
    const { dataRequestId } = must(await raise(linkId));
    const dates = ['1990-01-01', '1991-01-01'];
    const answers = await Promise.all(dates.map((dob) => fulfil(dataRequestId, referenceId, { dob })));
    expect(answers.map(codeOf).toSorted()).toEqual(['DATA_REQUEST_ALREADY_FULFILLED', undefined]);
    const taken = dates[answers.findIndex(({ ok }) => ok)];
    expect((await linkOf(linkId))?.userData).toEqual({ dob: taken });
    expect(await bench.timeline(linkId)).toHaveLength(3);
  });

  test('two first pictures of one link at once: both are taken, the link keeps one', async () => {
    const { linkId, referenceId } = await bench.newLink();
    const pictures = [imageOf('png'), imageOf('jpeg')];
    const answers = await Promise.all(
      pictures.map(async ({ uri }) => {
        const { dataRequestId } = must(await raise(linkId, ['idImage']));
        return { dataRequestId, idImage: uri };
      }),
    );
    const fulfilled = await Promise.all(
      answers.map(({ dataRequestId, idImage }) => fulfil(dataRequestId, referenceId, { idImage })),
    );
    expect(fulfilled.map(codeOf)).toEqual([undefined, undefined]);
    const kept = await bench.service.findImage(acme, linkId);
    expect(pictures.map(({ contentType, bytes }) => ({ contentType, bytes }))).toContainEqual(kept);
    const last = (await bench.timeline(linkId)).at(-1);
    expect(last).toMatchObject({ number: 5, type: 'data_request.fulfilled' });
    const later = answers.findIndex(({ dataRequestId }) => dataRequestId === last?.data.dataRequestId);
    expect(kept?.contentType).toBe(pictures[later]?.contentType);
  });

  test('answers to two requests of one link at once are both merged', async () => {
    const { linkId, referenceId } = await bench.newLink();
    const dob = must(await raise(linkId, ['dob']));
    const idType = must(await raise(linkId, ['idType']));
    await Promise.all([
      fulfil(dob.dataRequestId, referenceId, { dob: '1990-01-01' }),
      fulfil(idType.dataRequestId, referenceId, { idType: 'ine' }),
    ]);
    expect((await linkOf(linkId))?.userData).toEqual({ dob: '1990-01-01', idType: 'ine' });
    expect((await bench.timeline(linkId)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });
});
