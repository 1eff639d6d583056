import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestCertificate, type TestCertificate } from '../../../test/support/test-certificate.ts';
import { checkCertificates } from './machine.ts';

const DAY_MS = 86_400_000;

describe('The client certificate of webhooks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-doctor-client-'));
  let own: TestCertificate;
  let another: TestCertificate;
  beforeAll(async () => {
    [own, another] = await Promise.all([createTestCertificate(), createTestCertificate()]);
  });
  afterAll(() => {
    own.remove();
    another.remove();
    rmSync(folder, { recursive: true });
  });

  /** The findings in so many days, with this key. */
  function check(key: string, days = 0) {
    const keyFile = join(folder, 'key.pem');
    writeFileSync(keyFile, key);
    const files = { WEBHOOK_CLIENT_CERT_FILE: own.caFile, WEBHOOK_CLIENT_KEY_FILE: keyFile };
    const unset = { MTLS_PORT: undefined, MTLS_CERT_FILE: undefined, MTLS_KEY_FILE: undefined };
    const others = { ...unset, MTLS_CA_FILE: undefined, WEBHOOK_CA_FILE: undefined };
    return checkCertificates({ ...others, ...files }, new Date(Date.now() + days * DAY_MS));
  }

  test.each([
    ['ok', 0],
    ['warning', 800],
    ['failure', 830],
  ])('is %s after %d of its 825 days', (status, days) => {
    expect(check(own.key, days)).toEqual([
      expect.objectContaining({ status, what: expect.stringContaining('WEBHOOK_CLIENT_CERT_FILE') }),
    ]);
  });

  test('must have its own key', () => {
    expect(check(another.key)).toEqual([
      expect.objectContaining({
        status: 'failure',
        what: expect.stringMatching(/^WEBHOOK_CLIENT_KEY_FILE: .* is not the key of the certificate/),
      }),
    ]);
  });
});
