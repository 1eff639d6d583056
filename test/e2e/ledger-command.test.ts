/** @only-in-full */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makePayments, type Payments } from '../support/payments.ts';
import { useScene } from '../support/scene.ts';

const scene = useScene();
let payments: Payments;
beforeAll(async () => {
  payments = await makePayments(scene);
});

describe('the command ledger', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-ledger-'));
  const file = join(folder, 'journal.jsonl');
  scene.atEnd(async () => rmSync(folder, { recursive: true }));
  /** No database is there. */
  const offline = { MONGODB_URI: 'mongodb://127.0.0.1:9/none' };

  test('exports the journal, and finds nothing in the file', async () => {
    await payments.run('ledger', ['export', '--file', file]);
    expect(await payments.run('ledger', ['verify', '--file', file], 0, offline)).toMatch(/ 0 findings/);
    // It overwrites no file.
    await payments.run('ledger', ['export', '--file', file], 1);
    const unknown = ['export', '--file', `${file}.unknown`, '--tenant', 'nobody'];
    expect(await payments.run('ledger', unknown, 1)).toMatch(/There is no partner nobody/);
  });

  test('exports each entry as the same line each time', async () => {
    const later = join(folder, 'later.jsonl');
    await payments.run('ledger', ['export', '--file', later]);
    const [before, after] = [file, later].map((name) => readFileSync(name, 'utf8').split('\n'));
    const entries = before?.filter((line) => line.includes('"type":"entry"'));
    expect(entries?.length).toBeGreaterThan(5);
    expect(after).toEqual(expect.arrayContaining(entries ?? []));
  });

  test('finds a changed amount, a missing line and another key, without the database', async () => {
    const text = readFileSync(file, 'utf8');
    const changed = join(folder, 'changed.jsonl');
    writeFileSync(changed, text.replace(/"amount":"(\d)/, '"amount":"9$1'));
    const [finding] = (
      await payments.run('ledger', ['verify', '--file', changed, '--json'], 1, offline)
    ).split('\n');
    expect(JSON.parse(String(finding))).toMatchObject({ accountId: 'acme/sandbox', place: '1' });
    writeFileSync(changed, text.split('\n').slice(1).join('\n'));
    await payments.run('ledger', ['verify', '--file', changed], 1, offline);
    const other = { ...offline, ENCRYPTION_KEY: 'a'.repeat(64) };
    expect(await payments.run('ledger', ['verify', '--file', file], 1, other)).toMatch(/ENCRYPTION_KEY/);
  });

  test('names the line of a file that is no export', async () => {
    const wrong = join(folder, 'wrong.jsonl');
    writeFileSync(wrong, '{"type":"entry","value":{}}\n');
    expect(await payments.run('ledger', ['verify', '--file', wrong], 1, offline)).toMatch(
      /line 1 is no line of an export/,
    );
  });

  test.each([['import'], ['export'], ['verify'], ['export', '--file', 'x', '--from', 'May']])(
    'exits with 2 for %s %s %s %s',
    async (...args) => {
      await payments.run('ledger', args.filter(Boolean), 2);
    },
  );
});
