import { type AdminDeps, runCommand } from '../../gateway/cli/admin/commands.ts';
import type { RawResponse } from './http.ts';

/** Runs a command of an administrator as if it were a call: 503 when the database fails, 400 for what else is wrong. */
export async function runAsCall(deps: AdminDeps, args: readonly string[]): Promise<RawResponse> {
  const answer = (status: number, text: string): RawResponse => ({
    status,
    text,
    headers: {},
    body: Buffer.from(text),
  });
  try {
    const { rows } = await runCommand(deps, args);
    return answer(200, JSON.stringify(rows));
  } catch (error) {
    const { name, message } = error as Error;
    return answer(name.startsWith('Mongo') ? 503 : 400, message);
  }
}
