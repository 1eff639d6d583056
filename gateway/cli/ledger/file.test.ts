import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ExportLine } from '../../../subgraphs/ledger/export.ts';
import { readExport, writeExport } from './file.ts';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

const END: ExportLine = {
  type: 'end',
  value: {
    ...{ _id: 'acme/live', accountId: 'acme/live', number: 0, hash: '0', seq: 0, balances: [], seal: 'AAAA' },
    bookedAt: '2026-11-20T00:00:00.000Z',
  },
};

async function* linesOf(error?: Error): AsyncGenerator<ExportLine> {
  yield END;
  if (error) {
    throw error;
  }
}

describe('the file of an export', () => {
  test('is read as it was written, by its owner alone', async () => {
    const file = join(folder, 'whole.jsonl');
    expect(await writeExport(file, linesOf())).toBe(0);
    const read: ExportLine[] = [];
    for await (const line of readExport(file)) {
      read.push(line);
    }
    expect(read).toEqual([END]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is never written over', async () => {
    const file = join(folder, 'there.jsonl');
    await writeExport(file, linesOf());
    const before = readFileSync(file);
    await expect(writeExport(file, linesOf())).rejects.toThrow('there.jsonl is there already');
    expect(readFileSync(file)).toEqual(before);
  });

  test('leaves nothing behind when the export fails on the way', async () => {
    await expect(writeExport(join(folder, 'cut.jsonl'), linesOf(new Error('gone')))).rejects.toThrow('gone');
    expect(readdirSync(folder).filter((name) => name.startsWith('cut.jsonl'))).toEqual([]);
  });

  test('leaves nothing behind when the export is stopped on the way', async () => {
    const stopping = new AbortController();
    const parts = () => readdirSync(folder).filter((name) => name.startsWith('stopped.jsonl'));
    const begun: string[][] = [];
    async function* endless(): AsyncGenerator<ExportLine> {
      while (true) {
        yield END;
        await setImmediate();
        if (begun.length === 0 && parts().length > 0) {
          begun.push(parts());
          stopping.abort(new Error('Stopped'));
        }
      }
    }
    const writing = writeExport(join(folder, 'stopped.jsonl'), endless(), stopping.signal);
    await expect(writing).rejects.toThrow('Stopped');
    expect([begun, parts()]).toEqual([[[expect.stringMatching(/part$/)]], []]);
  });
});
