import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createBox } from '../../kernel/crypto/box.ts';
import { openFormerSecrets, retireSecret, sealFormerSecrets, stillValid } from './former-secrets.ts';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const inHours = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

test('a second rotation keeps the overlap of the first, and removes secrets whose overlap is over', () => {
  const former = [
    { secret: 'second', until: inHours(1) },
    { secret: 'first', until: NOW },
  ];
  expect(retireSecret({ secret: 'third', former, until: inHours(24), now: NOW })).toEqual({
    ok: true,
    value: [
      { secret: 'third', until: inHours(24) },
      { secret: 'second', until: inHours(1) },
    ],
  });
});

test('without an overlap none goes on signing', () => {
  const former = [{ secret: 'second', until: inHours(1) }];
  expect(retireSecret({ secret: 'third', former, until: null, now: NOW })).toEqual({ ok: true, value: [] });
});

test('four go on signing at most', () => {
  const former = [1, 2, 3].map((hours) => ({ secret: `s${hours}`, until: inHours(hours) }));
  const retire = (secret: string | undefined, kept = former) =>
    retireSecret({ secret, former: kept, until: inHours(9), now: NOW });
  expect(retire('fourth')).toMatchObject({ ok: true });
  const four = [...former, { secret: 's4', until: inHours(4) }];
  expect(retire('fifth', four)).toMatchObject({ ok: false, failures: [{ code: 'WEBHOOK_SECRETS_LIMIT' }] });
  expect(retire(undefined, four)).toEqual({ ok: true, value: four });
});

test('one signs until its last instant, and not in it', () => {
  const former = [{ secret: 'old', until: NOW }];
  expect(stillValid(former, new Date(NOW.getTime() - 1))).toEqual(former);
  expect(stillValid(former, NOW)).toEqual([]);
});

test('they are sealed together, and none are no value', () => {
  const box = createBox(randomBytes(32));
  const former = [{ secret: 'whsec_ñ', until: NOW }];
  const sealed = sealFormerSecrets(box, former, 'acme/sandbox|formerSecrets|1');
  expect(sealed?.includes('whsec_')).toBe(false);
  expect(openFormerSecrets(box, sealed, 'acme/sandbox|formerSecrets|1')).toEqual(former);
  expect(() => openFormerSecrets(box, sealed, 'globex/sandbox|formerSecrets|1')).toThrow();
  expect(sealFormerSecrets(box, [], 'x')).toBeUndefined();
  expect(openFormerSecrets(box, undefined, 'x')).toEqual([]);
});
