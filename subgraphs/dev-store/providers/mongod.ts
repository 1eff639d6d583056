import { readMongodVersion, startMongod } from '../mongod-server.ts';
import { type Provider, running, unavailable } from '../provider.ts';
import { findOnPath } from '../which.ts';

/** MongoDB itself, as installed on this machine. */
export const mongodProvider: Provider = {
  kind: 'mongod',
  format: 'mongod',
  name: 'mongod on PATH',
  howToGet: 'Install MongoDB Community Server, so that mongod is on PATH.',
  development: false,
  async provide(context) {
    const path = findOnPath('mongod', context.env);
    if (path === undefined) {
      return unavailable('there is no mongod on PATH');
    }
    const version = await readMongodVersion(path, context.env);
    return version.ok
      ? running(await startMongod({ path, version: version.stdout }, context))
      : unavailable(`${path} does not run: ${version.reason}`);
  },
};
