import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto, type RawResponse } from '../support/http.ts';
import { newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';

const READY = {
  name: { firstName: 'Ana', lastName: 'Ruiz' },
  idType: 'passport',
  idNumber: 'X1234567',
  dob: '1990-02-28',
};

interface Made {
  readonly linkId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy();
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
});

function call(method: string, path: string, body?: object): Promise<RawResponse> {
  const headers = { 'X-API-Key': KEYS.acme, 'X-Internal-Key': INTERNAL_KEY };
  return exchange({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function makeLink(referenceId: string, more: object = {}): Promise<Made> {
  const made = await call('POST', '/partner/links', { flow: 'cip', referenceId, userData: READY, ...more });
  expect(made.status).toBe(201);
  return (JSON.parse(made.text) as { data: Made }).data;
}

/** Sets the end of a link back to this instant: nobody waits for a minute. */
async function endNow(linkId: string): Promise<void> {
  await target.connection
    .collection<{ _id: string }>('links')
    .updateOne({ _id: linkId }, { $set: { expiresAt: new Date() } });
}

async function listed(query: string): Promise<string[]> {
  const { text } = await call('GET', `/partner/links?${query}`);
  return (JSON.parse(text) as { data: { items: Made[] } }).data.items.map(({ linkId }) => linkId);
}

test.each([
  [undefined, 1440],
  [1, 1],
  [43_200, 43_200],
])('a link created with expiresInMinutes %s lives %s minutes', async (expiresInMinutes, minutes) => {
  const { createdAt, expiresAt } = await makeLink(newReference(), { expiresInMinutes });
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(minutes * 60_000);
});

describe('A link whose time is over', () => {
  test('is listed as expired and not as active, whatever its status; a revoked one as neither', async () => {
    const reference = newReference();
    const links = [await makeLink(reference), await makeLink(reference), await makeLink(reference)];
    const [created, opened, revoked] = links.map(({ linkId }) => linkId) as [string, string, string];
    const { linkId: alive } = await makeLink(reference);
    await call('POST', `/v1/internal/links/${opened}/open`);
    await call('POST', `/partner/links/${revoked}/revoke`);
    await Promise.all([created, opened, revoked].map(endNow));
    const expected: [query: string, links: string[]][] = [
      ['', [alive, revoked, opened, created]],
      ['&visibility=active', [alive]],
      ['&visibility=expired', [opened, created]],
      ['&visibility=expired&status=created', [created]],
      ['&visibility=expired&status=opened', [opened]],
      ['&visibility=expired&status=revoked', []],
      ['&visibility=active&status=created', [alive]],
      ['&visibility=active&status=opened', []],
      ['&status=created', [alive, created]],
      ['&status=revoked', [revoked]],
      ['&visibility=expired&createdFrom=2020-01-01&limit=1&page=2', [created]],
    ];
    for (const [query, found] of expected) {
      expect([query, await listed(`referenceId=${reference}${query}`)]).toEqual([query, found]);
    }
  });

  test('cannot be opened, nor its user checked or asked for data; it can be read and revoked', async () => {
    const { linkId } = await makeLink(newReference());
    await endNow(linkId);
    const rejected =
      /^\{"success":false,"error":\{"code":"LINK_REVOKED","message":"[^"]+","details":null\}\}$/;
    const rejectedInternally = /^\{"error":\{"code":"LINK_REVOKED","message":"[^"]+"\}\}$/;
    const attempts: [Promise<RawResponse>, RegExp][] = [
      [call('POST', '/partner/cip/tickets', { linkId }), rejected],
      [call('POST', `/v1/internal/links/${linkId}/open`), rejectedInternally],
      [
        call('POST', '/v1/internal/data-requests', { partnerId: 'acme', linkId, fields: ['dob'] }),
        rejectedInternally,
      ],
    ];
    for (const [attempt, shape] of attempts) {
      const { status, text } = await attempt;
      expect([status, text]).toEqual([409, expect.stringMatching(shape)]);
    }
    expect(JSON.parse((await call('GET', `/partner/links/${linkId}`)).text)).toMatchObject({
      data: { status: 'created' },
    });
    expect((await call('POST', `/partner/links/${linkId}/revoke`)).status).toBe(200);
    expect((await call('POST', `/partner/links/${linkId}/revoke`)).status).toBe(409);
  });
});
