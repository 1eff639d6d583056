import { totalmem } from 'node:os';
import { type Provider, running, unavailable } from '../provider.ts';
import { installPythonProgram, type PythonProgram } from '../python-venv.ts';
import { startSecantus } from '../secantus-server.ts';

const SECANTUSDB: PythonProgram = {
  distribution: 'SecantusDB',
  version: '0.7.0b3',
  script: 'secantusd-py',
  minPythonMinor: 10,
};

const EXPIRY_SECONDS = 3_600;
const GIBIBYTE = 2 ** 30;

/** SecantusDB's Python server in a virtual environment of its own: all it needs is Python and pip's index. */
export const secantusPyProvider: Provider = {
  kind: 'secantus-py',
  format: 'secantus-py',
  name: 'secantusd-py by pip',
  howToGet: 'Install Python 3.10 or newer with venv and pip, and let pip reach a package index.',
  development: true,
  async provide(context) {
    const { layout, env, log } = context;
    const program = await installPythonProgram(SECANTUSDB, { venvs: layout.venvs, env, log });
    if (program.status === 'unavailable') {
      return unavailable(program.reason);
    }
    return running(
      await startSecantus(context, {
        format: 'secantus-py',
        command: program.python,
        leadingArgs: [program.script],
        // It sorts the 10,000 writes that it remembers at each further one: 15 ms a write instead of half of one.
        retryWrites: false,
        // It reads all documents that can expire, and answers nobody meanwhile: every minute, unless told otherwise.
        cacheGibibytes: halfOfMemory(),
        configuration: `[storage]\nttl_sweep_seconds = ${EXPIRY_SECONDS}\n`,
      }),
    );
  },
};

/**
 * Half of the memory beyond the first GiB, as mongod has it; at least 1 GiB, at most 25. Data takes what it needs of it.
 * WiredTiger wants pages of at most 5,000th of the cache out of memory, and lets everybody who needs a larger one wait as
 * long as a transaction could still read an older state of it. All index entries are in one table, so with a cache of 1 GiB
 * its pages are that large after minutes of tests; then transactions wait, which keeps old states readable, and it goes on.
 */
function halfOfMemory(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(25, Math.max(1, Math.floor((bytes / GIBIBYTE - 1) / 2)));
}
