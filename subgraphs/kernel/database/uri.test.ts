import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { databaseOf, redactText, redactUri, setsOption, withDatabase } from './uri.ts';

describe('redactUri', () => {
  test.each([
    ['mongodb://db.test/x', 'mongodb://db.test/x'],
    ['mongodb://a.test:1,b.test:2/?replicaSet=rs0', 'mongodb://a.test:1,b.test:2'],
    ['mongodb://user:hunter2@a.test:1,b.test:2/x?tls=true', 'mongodb://***@a.test:1,b.test:2/x'],
    ['mongodb+srv://user@cluster.test/', 'mongodb+srv://***@cluster.test'],
    ['mongodb://h.test/?tlsCertificateKeyFilePassword=hunter2', 'mongodb://h.test'],
    ['mongodb://[::1]:27017/x', 'mongodb://[::1]:27017/x'],
  ])('%s is shown as %s', (uri, shown) => {
    expect(redactUri(uri)).toBe(shown);
  });

  test.each([
    'mongodb://user:hun@ter2@h.test/x',
    'mongodb://user:hun/ter2@h.test/x',
    'mongodb://user:1/hunter2@h@h.test/x',
    'mongodb://user:1?hunter2@h@h.test/x',
    'mongodb://user:hun?ter2@h.test',
  ])('a password that should have been escaped stays hidden: %s', (uri) => {
    expect(redactUri(uri)).not.toMatch(/user|hun|ter2/);
  });

  test('no user information ever shows', () => {
    const secret = fc.string({ minLength: 8, unit: 'binary' }).map((text) => `!${text}!`);
    fc.assert(
      fc.property(secret, secret, (user, password) => {
        const encoded = `mongodb://${encodeURIComponent(user)}:${encodeURIComponent(password)}@h.test/db?x=1`;
        expect(redactUri(encoded)).toBe('mongodb://***@h.test/db');
        const raw = redactUri(`mongodb://${user}:${password}@h.test/db`);
        expect(raw).not.toContain(user);
        expect(raw).not.toContain(password);
      }),
    );
  });
});

test('redactText takes passwords, encoded and decoded, out of a quoted message', () => {
  const uri = 'mongodb://ann:p%40ss@h.test/x?proxyPassword=sesame';
  const text = `cannot parse ${uri}: p%40ss or p@ss of ann:p%40ss is wrong, or sesame`;
  expect(redactText(text, uri)).toBe(
    'cannot parse mongodb://***@h.test/x: *** or *** of *** is wrong, or ***',
  );
});

test('redactText hides text that it cannot parse', () => {
  expect(redactText('bad part ter2', 'mongodb://user:hun@ter2@h.test/x')).toMatch(/not a well-formed/);
});

test('databaseOf and setsOption read the URI', () => {
  expect(databaseOf('mongodb://h.test/my%20db?w=1')).toBe('my db');
  expect(databaseOf('mongodb://h.test/?w=1')).toBeUndefined();
  expect(databaseOf('mongodb://h.test')).toBeUndefined();
  expect(setsOption('mongodb://h.test/?MaxPoolSize=5', 'maxPoolSize')).toBe(true);
  expect(setsOption('mongodb://h.test/', 'maxPoolSize')).toBe(false);
});

test.each([
  ['mongodb://h.test', 'mongodb://h.test/new'],
  ['mongodb://h.test/old?replicaSet=rs0', 'mongodb://h.test/new?replicaSet=rs0'],
  ['mongodb://u:p@h.test', 'mongodb://u:p@h.test/new?authSource=admin'],
  ['mongodb://u:p@h.test/old', 'mongodb://u:p@h.test/new?authSource=old'],
  ['mongodb://u:p@h.test/old?authsource=users', 'mongodb://u:p@h.test/new?authsource=users'],
  ['mongodb://u@h.test/?authMechanism=MONGODB-X509', 'mongodb://u@h.test/new?authMechanism=MONGODB-X509'],
])('withDatabase moves %s to %s', (uri, moved) => {
  expect(withDatabase(uri, 'new')).toBe(moved);
});
