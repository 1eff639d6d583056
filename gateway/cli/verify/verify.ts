import type { VerifyOptions } from './arguments.ts';
import type { Check } from './check.ts';
import { knownDifferences } from './dev-store-differences.ts';
import { requireFailover, stepDownAgainAndAgain } from './failover.ts';
import { moneyPathChecks } from './load/money-path.ts';
import { planChecks } from './plans/checks.ts';
import { createRecorder } from './plans/record.ts';
import { PROMISES } from './promises/index.ts';
import { applyKnown, type CheckResult, makeCheck } from './results.ts';
import { openScratch, type Scratch } from './scratch.ts';

/** The part of a load's time for which the primary steps down. */
const FAILOVER_PART = 0.5;
/** Elections need some time, however short the load. */
const FEWEST_FAILOVER_SECONDS = 30;

/** The dependencies of a verification. */
interface VerifyDeps {
  readonly options: Omit<VerifyOptions, 'json'>;
  /** Ends it; its databases are dropped. */
  readonly signal: AbortSignal;
  /** Gets the name of each database that it makes. */
  onDatabase(name: string): void;
  /** Gets each result as soon as it is there. */
  onResult(result: CheckResult): void;
  /** The promises to check first. Default: all. */
  readonly promises?: readonly Check[];
}

/**
 * Makes all checks: first the promises, then a load with its plans, then a load while the primary steps down. Each of the three has
 * a database of its own, which is dropped in any case.
 * @throws DatabaseError when the server cannot be reached; OperatorError when it cannot fail over; the signal's reason
 */
export async function verify(deps: VerifyDeps): Promise<CheckResult[]> {
  const { options, signal, promises = PROMISES } = deps;
  const { uri, seconds, callers } = options;
  if (options.failover) {
    await inScratch(uri, ({ db }) => requireFailover(uri, db));
  }
  const recorder = createRecorder();
  const load = { name: 'money path', seconds, callers, signal, recorder };
  const results = [
    ...(await runChecks(deps, promises)),
    ...(await runChecks(deps, [...moneyPathChecks(load), ...planChecks(recorder, seconds)])),
  ];
  if (!options.failover) {
    return results;
  }
  const shorter = Math.max(FEWEST_FAILOVER_SECONDS, Math.round(seconds * FAILOVER_PART));
  const failover = moneyPathChecks({
    ...load,
    name: 'failover',
    seconds: shorter,
    recorder: createRecorder(),
    beside: (isOver) => stepDownAgainAndAgain(uri, shorter, isOver),
  });
  return [...results, ...(await runChecks(deps, failover))];
}

async function runChecks(
  { options, signal, onDatabase, onResult }: VerifyDeps,
  checks: readonly Check[],
): Promise<CheckResult[]> {
  return inScratch(options.uri, async (scratch) => {
    onDatabase(scratch.name);
    const known = knownDifferences(await scratch.db.admin().command({ buildInfo: 1 }));
    const results: CheckResult[] = [];
    for (const check of checks) {
      const result = applyKnown(await makeCheck(check, scratch, signal), known);
      results.push(result);
      onResult(result);
    }
    return results;
  });
}

/** Runs work in a new database, and drops it, also after an error. */
async function inScratch<T>(uri: string, work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const scratch = await openScratch(uri);
  try {
    return await work(scratch);
  } finally {
    await scratch.drop();
  }
}
