import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { accountOf } from '../../../subgraphs/kernel/account.ts';
import type { Database } from '../../../subgraphs/kernel/database/open-database.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { type Client, createClient } from './client.ts';
import { type Demo, startDemo } from './demo.ts';
import { runJourney } from './journey.ts';
import { createStage } from './stage.ts';

const colors = picocolors.createColors(false);

/** A busy machine may take longer than a terminal's user would wait. */
const STEP_MS = 240_000;

/** Runs the journey and returns its output. */
async function runDemo(
  { server, partner, receiver }: Demo,
  changes: { client?(client: Client): Client } = {},
) {
  const reported: string[] = [];
  const terminal = { write: (text: string) => void reported.push(text), colors };
  const stage = createStage({ terminal, stopping: new AbortController().signal, stepMs: STEP_MS });
  const client = createClient({ url: server.url, key: partner.key, colors });
  const deps = {
    url: server.url,
    partner,
    receiver,
    connection: server.store.connection,
    client: changes.client?.(client) ?? client,
    colors,
  };
  await runJourney(deps, stage);
  return reported.join('');
}

describe('the demo', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-demo-'));
  let store: Database;
  let demo: Demo;

  const start = () =>
    startDemo({ env: { MONGODB_URI: store.uri, DATA_DIR: dataDir, PORT: '0' }, onWebhook: () => undefined });

  beforeAll(async () => {
    store = await openTestDatabase();
    demo = await start();
  });

  afterAll(async () => {
    await demo?.close();
    await store?.close();
    rmSync(dataDir, { recursive: true });
  });

  test('shows the whole journey of a money request', async () => {
    const reported = await runDemo(demo);
    expect([...reported.matchAll(/^ ?(\d+) {2}.* {2}\d+ ms$/gm)].map(([, number]) => Number(number))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    const [reference = ''] = /(?<="referenceId":")[A-Za-z0-9]{8}/.exec(reported) ?? [];
    expect(reported).toContain(
      `201 application/json\n    {"referenceId":"${reference}","id":"${reference}",`,
    );
    expect(reported).toMatch(/users +user Ana Ruiz, identity check PENDING/);
    expect(reported).toMatch(new RegExp(`${reference} PENDING → PROCESSING .* operation [2-9A-Z]{8} `));
    expect(reported).toMatch(
      new RegExp(`${reference} PROCESSING → COMPLETED .* operation [2-9A-Z]{8} COMPLETED`),
    );
    expect(reported.match(/X-Webhook-Signature: t=\d+,v1=[0-9a-f]{64} verified/g)).toHaveLength(3);
    expect(reported).toContain('rejected, MISMATCH');
    expect(reported.match(/DELIVERED attempt 1: 204 in \d+ ms/g)).toHaveLength(3);
  });

  test('names the step that fails', async () => {
    const misled = (client: Client): Client => ({
      ...client,
      rest: (call, step) =>
        client.rest({ ...call, path: call.path.replace(/^\/v1\/sandbox\/.*/, '/v1/sandbox/nothing') }, step),
    });
    await expect(runDemo(demo, { client: misled })).rejects.toThrow(
      /^Step 7, "The payer pays: processing, then completed": the answer was 404 instead of 200/,
    );
  });

  test('runs again on the same data, with the same key', async () => {
    const { key } = demo.partner;
    await demo.close();
    demo = await start();
    expect(demo.partner.key).toBe(key);
    expect(await runDemo(demo)).toContain('10  The ledger has it all');
  });

  test('rejects a webhook that is signed with another secret', async () => {
    demo = await demo.close().then(start);
    const tenants = demo.server.subgraphs.tenants;
    const tenant = await tenants.find(accountOf(demo.partner.tenantId, 'sandbox'));
    await tenants.upsert({ ...tenant!, webhookSecret: 'whsec_another' });
    await expect(runDemo(demo)).rejects.toThrow(/"Signed webhooks .*": .*bad signature: MISMATCH/);
  });
});
