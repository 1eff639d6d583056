import type { Deployment } from './deployment.ts';
import { runProduct } from './server-process.ts';

const ADMIN = 'dist/bin/admin.js';
const CODE = /#code=(raas_code_[\w-]+)/;

/**
 * Makes a link for the platform's operators as they make it, on the command line.
 * @returns its code @throws with the output of the command when it made none
 */
export async function makePlatformCode({ env }: Pick<Deployment, 'env'>): Promise<string> {
  const command = runProduct(ADMIN, ['console-link', '--platform', '--label', 'On call'], env);
  await command.exited;
  const [, code] = CODE.exec(command.output()) ?? [];
  if (code === undefined) {
    throw new Error(`There is no link: ${command.output()}`);
  }
  return code;
}
