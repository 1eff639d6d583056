import Fastify from 'fastify';
import mercurius from 'mercurius';
import { monolithSdl, RESOLVERS } from '../graph.ts';

/** The graph as one schema, served by mercurius with graphql-jit. Its environment: `PORT`. */
const app = Fastify();
await app.register(mercurius, { schema: monolithSdl(), resolvers: RESOLVERS as never, jit: 1 });
process.once('SIGTERM', () => void app.close());
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
