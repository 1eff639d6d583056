import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { startServerProcess } from '../../dev-store/server-process.ts';
import { temporaryDirectory } from '../../dev-store/testing-process.ts';
import { findOnPath } from '../../dev-store/which.ts';
import { connect } from './connect.ts';

test('writes are acknowledged by a majority and journalled, whatever the URI says', async () => {
  const uri = process.env.TEST_MONGODB_URI!.replace(/&retryWrites=\w+/, '');
  const connection = await connect(
    `${uri}${uri.includes('?') ? '&' : '?'}w=0&appName=other`,
    'remitgraph_test_w',
  );
  const { writeConcern, retryWrites, maxPoolSize, appName } = connection.getClient().options;
  expect(writeConcern).toMatchObject({ w: 'majority', journal: true });
  expect({ retryWrites, maxPoolSize, appName }).toEqual({
    retryWrites: true,
    maxPoolSize: 50,
    appName: 'other',
  });
  await connection.destroy();
});

/** Both SecantusDB servers can pose as a stand-alone `mongod`; the one on PATH needs no installation. */
const secantus = findOnPath('secantusd-rs', process.env);

if (secantus !== undefined) {
  test('a stand-alone server is refused, and the way to a replica set named', async () => {
    const directory = temporaryDirectory();
    const server = await startServerProcess({
      name: 'stand-alone',
      command: secantus,
      args: ['--standalone', '--port', '0', '--storage-path', join(directory.path, 'data')],
      env: process.env,
      logFile: join(directory.path, 'log'),
      listening: /listening on 127\.0\.0\.1:(\d+)/,
      startTimeoutMs: 20_000,
      onSpawn: () => undefined,
    });
    try {
      const before = mongoose.connections.length;
      await expect(connect(`mongodb://127.0.0.1:${server.port}/x`, undefined)).rejects.toThrow(
        /^mongodb:\/\/127\.0\.0\.1:\d+\/x is a stand-alone server\. .*--replSet rs0.*rs\.initiate\(\)/,
      );
      expect(mongoose.connections).toHaveLength(before);
    } finally {
      await server.stop();
      directory.remove();
    }
  });
}
