import { expect, test } from '@jest/globals';
import { csvRecord } from '../../rest-compat/exports/csv.ts';
import { readExportParameters } from '../../rest-compat/exports/parameters.ts';
import { isFullFile } from './full-file.ts';

const csv = (rows: number) =>
  [['id', 'reason'], ...Array.from({ length: rows }, (_, row) => [String(row), 'a "b"\r\n"c"\n'])]
    .map(csvRecord)
    .join('');

test('a file is full with as many rows as it can have, whatever line ends their cells have', () => {
  expect([0, 2, 3].map((rows) => isFullFile(csv(rows), 'csv', 3))).toEqual([false, false, true]);
  const lines = ['', '{"a":"\\n"}\n', '{"a":"\\n"}\n{}\n'];
  expect(lines.map((text) => isFullFile(text, 'jsonl', 2))).toEqual([false, false, true]);
});

test('a file that nobody limits is full with the rows that the server gives at most', () => {
  const { limit } = Object(readExportParameters({}, {}));
  expect([limit - 1, limit].map((rows) => isFullFile('{}\n'.repeat(rows), 'jsonl'))).toEqual([false, true]);
});
