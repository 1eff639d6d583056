import { redactUri } from '../../platform/database/uri.ts';
import { type Provider, running, unavailable } from '../provider.ts';

/** Step 1: the cluster that the operator runs. Whether it can be reached, connecting tells. */
export const uriProvider: Provider = {
  kind: 'uri',
  format: undefined,
  name: 'MONGODB_URI',
  howToGet: 'Set MONGODB_URI to a MongoDB replica set or sharded cluster; production needs this.',
  development: false,
  async provide({ mongodbUri }) {
    if (mongodbUri === undefined) {
      return unavailable('it is not set');
    }
    return running({
      uri: mongodbUri,
      description: `MONGODB_URI ${redactUri(mongodbUri)}`,
      exited: new Promise(() => undefined),
      stop: async () => undefined,
    });
  },
};
