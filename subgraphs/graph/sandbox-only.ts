import { environmentOf } from '../kernel/account.ts';
import { fail, type Result } from '../kernel/errors/result.ts';
import type { Principal } from '../kernel/principal.ts';

/**
 * Does what only a sandbox allows, such as a simulation of the payer (decisions, section 8, "Simulation"). Failure: SANDBOX_ONLY
 * for a caller of the live environment, before anything is read.
 */
export async function inSandboxOnly<Value>(
  { accountId }: Pick<Principal, 'accountId'>,
  run: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  return environmentOf(accountId) === 'sandbox' ? run() : fail('SANDBOX_ONLY');
}
