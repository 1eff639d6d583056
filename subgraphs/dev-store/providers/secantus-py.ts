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
/**
 * WiredTiger, its storage engine, writes changed pages out when there are 6 MB of them, not 50. SecantusDB keeps the index
 * entries of all collections in one table. Its pages would grow together in memory, and each access to a page that is too large
 * waits 5 ms as long as any open transaction uses the page. With 50 transactions at once that lasted for minutes.
 */
const EARLY_EVICTION = 'eviction_dirty_target=6MB,eviction_updates_target=3MB';

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
        // It reads all documents that can expire, and answers no other command meanwhile: every minute by default.
        wiredTiger: EARLY_EVICTION,
        configuration: `[storage]\nttl_sweep_seconds = ${EXPIRY_SECONDS}\n`,
      }),
    );
  },
};
