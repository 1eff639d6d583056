import { readFileSync } from 'node:fs';
import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';

/** `@apollo/gateway` under `@apollo/server`. Its environment: `PORT`; `SUPERGRAPH`, a file. */
const server = new ApolloServer({
  gateway: new ApolloGateway({ supergraphSdl: readFileSync(process.env.SUPERGRAPH, 'utf8') }),
  introspection: false,
});
process.once('SIGTERM', () => process.exit(0));
await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: Number(process.env.PORT) } });
