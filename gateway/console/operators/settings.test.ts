import { expect, test } from '@jest/globals';
import { compareSettings, filterSettings, type Process } from './settings.ts';

type Given = readonly [name: string, value: string | null, source: 'GIVEN' | 'DEFAULT', isSecret?: boolean];

function processOf(pid: number, given: readonly Given[]): Process {
  const settings = given.map(([name, value, source, isSecret = false]) => ({
    name,
    value,
    source,
    isSecret,
  }));
  return { id: `p-${pid}`, role: 'all', host: 'one', pid, settings } as Process;
}

const rows = compareSettings([
  processOf(1, [
    ['PORT', '4000', 'DEFAULT'],
    ['LOG_LEVEL', 'info', 'DEFAULT'],
    ['SEALING_KEY', null, 'GIVEN', true],
  ]),
  processOf(2, [
    ['PORT', '4000', 'GIVEN'],
    ['LOG_LEVEL', 'debug', 'GIVEN'],
    ['SEALING_KEY', null, 'GIVEN', true],
    ['NEW_SETTING', 'x', 'DEFAULT'],
  ]),
]);
const shown = (some: typeof rows) =>
  some.map(({ name, value, source, differs, processes }) =>
    [name, value, source, differs ? 'differs' : 'same', processes.join(' & ')].join(' | '),
  );

test('a setting with equal values is one row, others are one row for each value, in their order', () => {
  expect(shown(rows)).toEqual([
    'PORT | 4000 | DEFAULT | differs | all, one (1)',
    'PORT | 4000 | GIVEN | differs | all, one (2)',
    'LOG_LEVEL | info | DEFAULT | differs | all, one (1)',
    'LOG_LEVEL | debug | GIVEN | differs | all, one (2)',
    'SEALING_KEY |  | GIVEN | same | all, one (1) & all, one (2)',
    // A setting of a version that the other process does not run.
    'NEW_SETTING | x | DEFAULT | differs | all, one (2)',
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

test('settings of a single process do not differ', () => {
  expect(compareSettings([processOf(1, [['PORT', '1', 'GIVEN']])])[0]?.differs).toBe(false);
  expect(compareSettings([])).toEqual([]);
});

test.each([
  [{ name: 'log' }, ['LOG_LEVEL', 'LOG_LEVEL']],
  [{ source: 'DEFAULT' as const }, ['PORT', 'LOG_LEVEL', 'NEW_SETTING']],
  [{ differs: false }, ['SEALING_KEY']],
  [{ name: 'port', source: 'GIVEN' as const, differs: true }, ['PORT']],
  [{ name: 'nothing' }, []],
  [{}, rows.map(({ name }) => name)],
])('the filter %j lets %j through', (filter, names) => {
  expect(filterSettings(rows, filter).map(({ name }) => name)).toEqual(names);
});
