import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createTestCertificate } from '../../../test/support/test-certificate.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

test('an answer that does not end in time fails, although its bytes keep coming', async () => {
  const certificate = await createTestCertificate();
  let timer: NodeJS.Timeout | undefined;
  const server = createServer(certificate, (_request, response) => {
    response.writeHead(200);
    timer = setInterval(() => response.write(' '), 20);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { fetch, close } = createGuardedFetch({
    allowedCidrs: ['127.0.0.0/8'],
    // Longer than a busy machine takes for the handshake.
    timeoutMs: 2_000,
    ca: [certificate.cert],
  });
  try {
    await expect(fetch(`https://127.0.0.1:${port}/`, { method: 'GET', headers: {} })).rejects.toThrow(
      `No answer from https://127.0.0.1:${port}`,
    );
    expect(timer).toBeDefined();
  } finally {
    clearInterval(timer);
    await close();
    server.closeAllConnections();
    server.close();
    certificate.remove();
  }
});
