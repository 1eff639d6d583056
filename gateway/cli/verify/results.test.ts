import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { devStoreServer } from '../../../subgraphs/kernel/database/dev-store-server.ts';
import { type Check, Difference, NotTried } from './check.ts';
import { DIFFERENCES, type KnownDifference, knownDifferences } from './dev-store-differences.ts';
import { planChecks } from './plans/checks.ts';
import { createRecorder } from './plans/record.ts';
import { PROMISES } from './promises/index.ts';
import { hasDifference, toTable } from './report.ts';
import { applyKnown, type CheckResult, makeCheck } from './results.ts';
import type { Scratch } from './scratch.ts';

/** A check that takes nothing of the database but its URI, which must not be printed. */
const SCRATCH = { uri: 'mongodb://ana:secret@db.test/x' } as Scratch;
const never = new AbortController().signal;

function make(run: Check['run'], limitMs?: number): Promise<CheckResult> {
  return makeCheck({ name: 'a check', run, ...(limitMs !== undefined && { limitMs }) }, SCRATCH, never);
}

const KNOWN: KnownDifference = {
  check: 'a check',
  servers: ['rust'],
  difference: 'It differs.',
  workaround: 'goes another way.',
  row: 'a/file.ts',
};
const result = (of: CheckResult['result']): CheckResult => ({
  check: 'a check',
  result: of,
  detail: 'details',
  ms: 1,
});

describe('A check', () => {
  test('has a detail when the promise holds', async () => {
    expect(await make(async () => 'fine')).toMatchObject({ result: 'ok', detail: 'fine' });
  });

  test.each([
    ['a difference', new Difference('other'), 'different'],
    ['an error of the server', new Error('other'), 'different'],
    ['something that cannot be tried', new NotTried('other'), 'skipped'],
  ])('reports %s', async (_what, error, expected) => {
    expect(await make(() => Promise.reject(error))).toMatchObject({ result: expected, detail: 'other' });
  });

  test('that does not end is a difference', async () => {
    const slow = (_: Scratch) =>
      new Promise<string>((_settle, fail) => setTimeout(() => fail(new Error()), 60));
    expect(await make(slow, 20)).toMatchObject({
      result: 'different',
      detail: expect.stringContaining('did not end'),
    });
  });

  test('prints no password of the URI', async () => {
    const failing = () => Promise.reject(new Error('refused by mongodb://ana:secret@db.test/x'));
    expect((await make(failing)).detail).not.toContain('secret');
  });

  test('is broken off by the signal, after it has closed what it has opened', async () => {
    const stopping = new AbortController();
    let closed = false;
    const run = async () => {
      stopping.abort(new Error('stopped'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      closed = true;
      return 'fine';
    };
    await expect(makeCheck({ name: 'a check', run }, SCRATCH, stopping.signal)).rejects.toThrow('stopped');
    expect(closed).toBe(true);
  });
});

describe('A known difference of the development store', () => {
  test('is no difference', () => {
    expect(applyKnown(result('different'), [KNOWN])).toMatchObject({
      result: 'known',
      detail: 'It differs. The product: goes another way.',
    });
  });

  test('is a difference when it is no longer there, unless it needs a race', () => {
    expect(applyKnown(result('ok'), [KNOWN])).toMatchObject({
      result: 'different',
      detail: expect.stringContaining('remove it from dev-store-differences.ts'),
    });
    expect(applyKnown(result('ok'), [{ ...KNOWN, sometimes: true }])).toEqual(result('ok'));
  });

  test('says nothing about other checks', () => {
    expect(applyKnown({ ...result('different'), check: 'another' }, [KNOWN])).toMatchObject({
      result: 'different',
    });
  });

  test('names a check, and a row or sentence of the README', () => {
    const readme = readFileSync('subgraphs/dev-store/README.md', 'utf8');
    const names = [...PROMISES, ...planChecks(createRecorder(), 60)].map(({ name }) => name);
    expect(DIFFERENCES.length).toBeGreaterThan(0);
    expect(DIFFERENCES.filter(({ check }) => !names.includes(check))).toEqual([]);
    expect(DIFFERENCES.filter(({ row }) => !readme.includes(row))).toEqual([]);
  });

  test('belongs to a server that names itself, never to MongoDB', () => {
    const rust = { secantusVersion: '0.5.3', version: '8.2.11', buildEnvironment: { cc: 'rustc' } };
    const python = { secantusVersion: '0.7.0', version: '8.2.11' };
    expect([rust, python, { version: '8.2.11' }].map(devStoreServer)).toEqual(['rust', 'python', undefined]);
    expect(knownDifferences({ version: '8.2.11' })).toEqual([]);
    expect(knownDifferences(rust)).not.toEqual(knownDifferences(python));
  });
});

test('Names of checks are unique', () => {
  const names = [...PROMISES, ...planChecks(createRecorder(), 60)].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe('The table', () => {
  const results = [result('ok'), { ...result('different'), check: 'a longer name', detail: 'one\ntwo' }];

  test('has a line for each check, further lines of a detail below it, and counts', () => {
    expect(toTable(results).split('\n')).toEqual([
      'check          result     ms  detail',
      'a check        ok          1  details',
      'a longer name  DIFFERENT   1  one',
      '                              two',
      '',
      '1 ok, 1 different, 0 known, 0 skipped',
      '',
    ]);
  });

  test('decides the exit code by differences alone', () => {
    expect(hasDifference(results)).toBe(true);
    expect(hasDifference([result('ok'), result('known'), result('skipped')])).toBe(false);
  });
});
