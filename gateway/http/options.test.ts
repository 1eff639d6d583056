import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { httpOptions } from './options.ts';

test('every server gives a request a minute to arrive, and ends silent connections', async () => {
  const { server } = Fastify(httpOptions(createLogger({ level: 'silent' }), () => ({ body: null })));
  const { requestTimeout, headersTimeout, timeout } = server;
  expect({ requestTimeout, headersTimeout, timeout }).toEqual({
    requestTimeout: 60_000,
    headersTimeout: 60_000,
    timeout: 120_000,
  });
});
