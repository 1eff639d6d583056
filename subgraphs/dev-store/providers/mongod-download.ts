import { downloadMongod } from '../mongod-binary.ts';
import { readMongodVersion, startMongod } from '../mongod-server.ts';
import { type Provider, running, unavailable } from '../provider.ts';

/** MongoDB itself, fetched once into `DATA_DIR`. */
export const mongodDownloadProvider: Provider = {
  kind: 'mongod-download',
  format: 'mongod',
  name: 'mongod by download',
  howToGet: 'Let this machine reach the MongoDB download site.',
  development: true,
  async provide(context) {
    const { env, layout, log } = context;
    const binary = await downloadMongod({ directory: layout.binaries, env, log });
    if (!binary.ok) {
      return unavailable(binary.reason);
    }
    const version = await readMongodVersion(binary.path, env);
    return version.ok
      ? running(await startMongod({ path: binary.path, version: version.stdout }, context))
      : unavailable(`${binary.path} does not run: ${version.reason}`);
  },
};
