/** The settings of a run in the environment. */
export interface Settings {
  readonly seed: string;
  /** Operations to run. */
  readonly runs: number;
  /** Features to leave out. */
  readonly without: ReadonlySet<string>;
  readonly only?: readonly [number, number];
}

/** Composing a graph costs more than running an operation. */
export const OPERATIONS_OF_A_GRAPH = 100;

function readCase(text: string | undefined): readonly [number, number] | undefined {
  const [graph, operation] = (text ?? '').split(':').map(Number);
  return text === undefined || text === '' ? undefined : [graph ?? 0, operation ?? 0];
}

/**
 * Reads `FUZZ_SEED` (default: a new one), `FUZZ_RUNS`, `FUZZ_CASE` (`graph:operation`, to run one case alone) and
 * `FUZZ_WITHOUT` (features, separated by commas).
 */
export function readSettings({ FUZZ_SEED, FUZZ_RUNS, FUZZ_CASE, FUZZ_WITHOUT }: NodeJS.ProcessEnv): Settings {
  const only = readCase(FUZZ_CASE);
  return {
    seed: FUZZ_SEED ?? String(Date.now() % 1_000_000_000),
    runs: Number(FUZZ_RUNS ?? 100_000),
    without: new Set((FUZZ_WITHOUT ?? '').split(',').filter((feature) => feature !== '')),
    ...(only !== undefined && { only }),
  };
}
