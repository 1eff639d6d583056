import { randomBytes, randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepSecret } from '../../../subgraphs/kernel/config/secrets.ts';
import { DEMO_SEED, DEMO_TENANT_ID } from '../../../subgraphs/partners/tenants/demo.ts';

/** The partner of the journey. */
export interface Partner {
  readonly tenantId: string;
  /** API key with every scope. Kept in the data directory, so that it stays the same from run to run. */
  readonly key: string;
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A referenceId that no run had before: 8 characters (document 2, "Create body"). */
export function newReferenceId(): string {
  return Array.from({ length: 8 }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');
}

/**
 * Writes a `SEED_FILE` with the demo tenant, its receiver and its key. A seed file creates the partner in a new
 * database and in an existing one.
 */
export async function seedPartner(
  dataDir: string,
  receiver: { url: string; secret: string },
): Promise<Partner & { seedFile: string }> {
  const key = keepSecret(dataDir, 'DEMO_KEY', () => `raas_sandbox_${randomBytes(24).toString('base64url')}`);
  const seedFile = join(dataDir, 'demo-seed.json');
  const tenants = DEMO_SEED.tenants.map((tenant) => ({
    ...tenant,
    webhookUrl: receiver.url,
    webhookSecret: receiver.secret,
    apiKeys: [{ key, scopes: ['partner', 'partner_full', 'partner_admin'], label: 'demo' }],
  }));
  await writeFile(seedFile, JSON.stringify({ ...DEMO_SEED, tenants }), { mode: 0o600 });
  return { tenantId: DEMO_TENANT_ID, key, seedFile };
}
