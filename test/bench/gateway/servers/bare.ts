import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/** A bare Fastify route that replays the bytes of an answer. Its environment: `PORT`; `ANSWERS`, a JSON file of texts by query. */
const answers = new Map<string, Buffer>(
  Object.entries(JSON.parse(readFileSync(process.env.ANSWERS ?? '', 'utf8')) as Record<string, string>).map(
    ([query, text]) => [query, Buffer.from(text)],
  ),
);

const app = Fastify();
app.post<{ Body: { query: string } }>('/graphql', (request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(answers.get(request.body.query));
});
process.once('SIGTERM', () => void app.close());
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
