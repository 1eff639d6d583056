import { describe, expect, test } from '@jest/globals';
import { operationalEventsSchema, quietUntil } from './operational-events.ts';

const isValid = (value: unknown) => operationalEventsSchema.safeParse(value).success;

describe('receivers of operational events', () => {
  test('have UTC, no addresses and no quiet hours by default, and each address once', () => {
    expect(operationalEventsSchema.parse({})).toEqual({ emails: [], timeZone: 'UTC' });
    const twice = operationalEventsSchema.parse({ emails: ['ops@acme.test', 'ops@acme.test'] });
    expect(twice.emails).toEqual(['ops@acme.test']);
  });

  test('have the URL in its one form', () => {
    expect(operationalEventsSchema.parse({ url: 'HTTPS://Ops.acme.test:443/a/../in#x' }).url).toBe(
      'https://ops.acme.test/in',
    );
  });

  test.each([
    'ops@acme.test\r\nBcc: eve@evil.test',
    'ops@acme.test\n',
    'ops@acme.test,eve@evil.test',
    'ops@acme.test;eve@evil.test',
    'ops@acme.test eve@evil.test',
    'Ops <ops@acme.test>',
    '"ops\r\n"@acme.test',
    'ops@acme.test\0',
    'öps@acme.test',
    'ops@[127.0.0.1]',
    'ops',
    '',
    `${'a'.repeat(250)}@acme.test`,
  ])('reject the address %j', (email) => {
    expect(isValid({ emails: [email] })).toBe(false);
  });

  test.each([
    ['HTTP', { url: 'http://ops.acme.test' }],
    ['credentials in the URL', { url: 'https://ops:secret@ops.acme.test' }],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }],
    ['a time zone with a line break', { timeZone: 'UTC\n' }],
    ['a time that no day has', { quietHours: { from: '24:00', to: '07:00' } }],
    ['quiet hours without length', { quietHours: { from: '07:00', to: '07:00' } }],
    ['a time with a line break', { quietHours: { from: '22:00\n', to: '07:00' } }],
    ['eleven addresses', { emails: Array.from({ length: 11 }, (_, index) => `ops${index}@acme.test`) }],
    ['an unknown value', { mails: [] }],
  ])('reject %s', (_what, value) => {
    expect(isValid(value)).toBe(false);
  });
});

describe('quiet hours', () => {
  const night = { quietHours: { from: '22:00', to: '07:00' }, timeZone: 'America/Mexico_City' };
  const day = { quietHours: { from: '09:00', to: '17:30' }, timeZone: 'UTC' };

  const berlin = { ...night, timeZone: 'Europe/Berlin' };
  const missing = { quietHours: { from: '22:00', to: '02:30' }, timeZone: 'Europe/Berlin' };

  test.each([
    [
      'end at their time in a night of 23 hours',
      berlin,
      '2026-03-28T21:00:00.000Z',
      '2026-03-29T05:00:00.000Z',
    ],
    [
      'are asked for again in a night of 25 hours',
      berlin,
      '2026-10-24T20:00:00.000Z',
      '2026-10-25T05:00:00.000Z',
    ],
    ['then end at their time', berlin, '2026-10-25T05:00:00.000Z', '2026-10-25T06:00:00.000Z'],
    [
      'that end in a skipped hour end in the next one',
      missing,
      '2026-03-29T00:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ],
    ['do not apply without any', { timeZone: 'UTC' }, '2026-11-27T03:00:00.000Z', undefined],
    ['begin at their time', night, '2026-11-27T04:00:00.000Z', '2026-11-27T13:00:00.000Z'],
    ['do not apply a minute before', night, '2026-11-27T03:59:59.999Z', undefined],
    ['go on after midnight', night, '2026-11-27T08:30:15.500Z', '2026-11-27T13:00:00.000Z'],
    ['end at their time', night, '2026-11-27T13:00:00.000Z', undefined],
    ['can lie within a day', day, '2026-11-27T17:29:00.000Z', '2026-11-27T17:30:00.000Z'],
    [
      'can lie within a day, before and after which they do not apply',
      day,
      '2026-11-27T08:00:00.000Z',
      undefined,
    ],
  ])('%s', (_what, config, at, until) => {
    expect(quietUntil(config, new Date(at))).toEqual(until === undefined ? undefined : new Date(until));
  });
});
