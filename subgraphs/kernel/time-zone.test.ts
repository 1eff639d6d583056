import { describe, expect, test } from '@jest/globals';
import { timeZoneNamed } from './time-zone.ts';

describe('the name of a time zone', () => {
  test.each([
    ['America/Mexico_City', 'America/Mexico_City'],
    ['america/mexico_city', 'America/Mexico_City'],
    ['UTC', 'UTC'],
  ])('is found for %s', (name, usual) => {
    expect(timeZoneNamed(name)).toBe(usual);
  });

  test.each([
    'Mars/Olympus',
    'SystemV/PST8',
    'systemv/est5edt',
    '+01:00',
    'UTC\n',
    '',
    ' UTC',
    `A${'a'.repeat(64)}`,
  ])('is not found for %j', (name) => {
    expect(timeZoneNamed(name)).toBeUndefined();
  });
});
