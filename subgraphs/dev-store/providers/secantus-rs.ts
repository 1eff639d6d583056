import { type Provider, running, unavailable } from '../provider.ts';
import { startSecantus } from '../secantus-server.ts';
import { findOnPath } from '../which.ts';

const PROGRAM = 'secantusd-rs';

/** A single-node MongoDB-compatible server over WiredTiger, as one program. */
export const secantusRsProvider: Provider = {
  kind: 'secantus-rs',
  format: 'secantus-rs',
  name: `${PROGRAM} on PATH`,
  howToGet: `Put ${PROGRAM} (SecantusDB's Rust server, crate secantus-mdb) on PATH.`,
  development: true,
  async provide(context) {
    const command = findOnPath(PROGRAM, context.env);
    if (command === undefined) {
      return unavailable(`there is no ${PROGRAM} on PATH`);
    }
    return running(
      await startSecantus(context, { format: 'secantus-rs', command, leadingArgs: [], retryWrites: true }),
    );
  },
};
