import type { Deployment } from './deployment.ts';
import { runProduct } from './server-process.ts';

const ADMIN = 'dist/bin/admin.js';
const CODE = /#code=(raas_code_[\w-]+)/;

/**
 * Makes a link for the platform's operators as they make it, on the command line.
 * @returns its code @throws with the output of the command when it made none
 */
export function makePlatformCode(
  deployment: Pick<Deployment, 'env'>,
  access: 'read' | 'operate' = 'read',
): Promise<string> {
  return makeCode(deployment, ['--platform', '--access', access, '--label', 'On call']);
}

/**
 * Makes any link on the command line. @param options of `console-link`
 * @returns its code @throws with the output of the command when it made none
 */
export async function makeCode(
  { env }: Pick<Deployment, 'env'>,
  options: readonly string[],
): Promise<string> {
  const command = runProduct(ADMIN, ['console-link', ...options], env);
  await command.exited;
  const [, code] = CODE.exec(command.output()) ?? [];
  if (code === undefined) {
    throw new Error(`There is no link: ${command.output()}`);
  }
  return code;
}
