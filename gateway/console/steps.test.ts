import { describe, expect, test } from '@jest/globals';
import { operationSteps, phaseSteps, type Step, stepsOf } from './steps.ts';

const WAY = { order: ['A', 'B', 'C', 'D'], optional: ['B'], failed: ['X'], ended: ['Y'] } as const;
type Name = 'A' | 'B' | 'C' | 'D' | 'X' | 'Y' | 'HOLD';
const at = (name: Name, hour: number) => ({ name, at: `2026-11-01T0${hour}:00:00.000Z` });
const shown = (steps: readonly Step<string>[]) => steps.map(({ name, state }) => `${name} ${state}`);
const of = (now: Name, ...passed: ReturnType<typeof at>[]) => shown(stepsOf<Name>(WAY, now, passed));

describe('the steps of a record', () => {
  test('are those it has passed, the present one, and those that all records have ahead', () => {
    expect(of('A', at('A', 1))).toEqual(['A current', 'C ahead', 'D ahead']);
    expect(of('B', at('A', 1), at('B', 2))).toEqual(['A done', 'B current', 'C ahead', 'D ahead']);
  });

  test('are all done after success, and those that were left out are not shown', () => {
    expect(of('D', at('A', 1), at('D', 2))).toEqual(['A done', 'D done']);
  });

  test('end with the mark of the failure or the end, also at the step in which it happened', () => {
    expect(of('X', at('A', 1), at('C', 2), at('X', 3))).toEqual(['A done', 'C failed', 'X failed']);
    expect(of('Y', at('A', 1), at('Y', 2))).toEqual(['A ended', 'Y ended']);
  });

  test('show a status twice that it came back to, but not a change of details', () => {
    expect(of('C', at('A', 1), at('C', 2), at('C', 3), at('HOLD', 4), at('C', 5))).toEqual([
      'A done',
      'C done',
      'HOLD done',
      'C current',
      'D ahead',
    ]);
  });

  test('have the present status without a time when its change is not known', () => {
    expect(stepsOf<Name>(WAY, 'C', []).map((step) => [step.name, step.at, step.state])).toEqual([
      ['C', undefined, 'current'],
      ['D', undefined, 'ahead'],
    ]);
    expect(of('HOLD')).toEqual(['HOLD current']);
  });
});

const moved = (subjectId: string, status: string) =>
  ({
    __typename: 'TimelineStatusChange',
    id: `${subjectId} ${status}`,
    at: '2026-11-01T01:00:00.000Z',
    subject: 'OPERATION',
    subjectId,
    previousStatus: null,
    status,
    statusDetails: null,
  }) as const;

describe('the steps of an operation', () => {
  test.each([
    ['REJECTED', 'failed'],
    ['FAILED', 'failed'],
    ['CANCELLED', 'ended'],
  ] as const)('have no tick at the last status before %s, unless it stays true', (end, mark) => {
    const stepsAfter = (...more: ReturnType<typeof moved>[]) => {
      const entries = [moved('op_1', 'SENT'), moved('op_1', 'FUNDING'), ...more, moved('op_1', end)];
      return shown(operationSteps({ id: 'op_1', status: end }, entries));
    };
    expect(stepsAfter()).toEqual(['SENT done', `FUNDING ${mark}`, `${end} ${mark}`]);
    expect(stepsAfter(moved('op_1', 'FUNDED'))).toEqual([
      'SENT done',
      'FUNDING done',
      'FUNDED done',
      `${end} ${mark}`,
    ]);
  });
});

describe('the steps of an atomic call', () => {
  const PHASES = ['P', 'Q', 'R'] as const;
  const began = [
    { name: 'P', at: '1' },
    { name: 'Q', at: '2' },
  ] as const;

  test('are its phases with the times at which they began', () => {
    const steps = phaseSteps(PHASES, { phase: 'Q', isOpen: true }, began);
    expect(shown(steps)).toEqual(['P done', 'Q current', 'R ahead']);
    expect(steps.map((step) => step.at)).toEqual(['1', '2', undefined]);
  });

  test('end with the phase that failed', () => {
    const steps = phaseSteps(PHASES, { phase: 'Q', isOpen: false }, began);
    expect(shown(steps)).toEqual(['P done', 'Q failed']);
  });

  test('go on with those of the payment after success', () => {
    const payment = operationSteps({ id: 'op_1', status: 'FAILED' }, [
      moved('op_1', 'SENT'),
      moved('op_1', 'FUNDING'),
      moved('op_2', 'COMPLETED'),
      moved('op_1', 'FAILED'),
    ]);
    expect(shown(phaseSteps(PHASES, { phase: 'R', isOpen: false, payment }, []))).toEqual([
      'P done',
      'Q done',
      'R done',
      'SENT done',
      'FUNDING failed',
      'FAILED failed',
    ]);
  });
});
