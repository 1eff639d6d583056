import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSelfSigned, type Identity } from '../../gateway/cli/certs/certificates.ts';

/** For tests of client certificates. */
export { createAuthority, type Identity, issueCertificate } from '../../gateway/cli/certs/certificates.ts';

/** A certificate for `localhost` and 127.0.0.1 that signs itself. */
export interface TestCertificate extends Identity {
  /** PEM file of the certificate, for `WEBHOOK_CA_FILE`. */
  readonly caFile: string;
  remove(): void;
}

export async function createTestCertificate(): Promise<TestCertificate> {
  const identity = await createSelfSigned(['localhost', '127.0.0.1']);
  const directory = mkdtempSync(join(tmpdir(), 'remitgraph-certificate-'));
  const caFile = join(directory, 'ca.pem');
  writeFileSync(caFile, identity.cert);
  return { ...identity, caFile, remove: () => rmSync(directory, { recursive: true }) };
}
