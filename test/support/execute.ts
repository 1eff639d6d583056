import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program. Servers in this process answer meanwhile.
 * @returns its output
 * @throws with all that it wrote, if it fails
 */
export async function execute(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 100_000_000 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}
