import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** Where the peers stand that are programs for Node; none of them is a dependency of the product. */
export const PEERS_DIR = resolve('test/bench/gateway/peers');

/** Settings that turn off the peers' telemetry. */
export const NO_TELEMETRY = { APOLLO_TELEMETRY_DISABLED: '1', HIVE_TELEMETRY: '0', DO_NOT_TRACK: '1' };

/** Installs the peers, unless they are there. @throws with npm's last words when that fails */
export async function installPeers(): Promise<void> {
  if (existsSync(`${PEERS_DIR}/node_modules/.package-lock.json`)) {
    return;
  }
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: PEERS_DIR }).catch((error: { stderr?: string }) => {
    throw new Error(`npm ci failed: ${error.stderr?.trim().split('\n').at(-1) ?? error}`);
  });
}
