import { environmentOf } from '../kernel/account.ts';
import { fail, type Result } from '../kernel/errors/result.ts';
import type { Principal } from '../kernel/principal.ts';

/**
 * Runs a simulation for a caller of the sandbox (decisions, section 8, "Simulation"): the act of the platform's own back end that
 * it stands for is real only if the platform itself reports it. Failure: SANDBOX_ONLY, before anything is read.
 */
export async function simulate<Value>(
  { accountId }: Pick<Principal, 'accountId'>,
  run: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  return environmentOf(accountId) === 'sandbox' ? run() : fail('SANDBOX_ONLY');
}
