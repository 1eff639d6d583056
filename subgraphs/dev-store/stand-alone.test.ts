import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { connect } from '../kernel/database/connect.ts';
import { startServerProcess } from './server-process.ts';
import { temporaryDirectory } from './testing/script-process.ts';
import { findOnPath } from './which.ts';

/** Both SecantusDB servers can pose as a stand-alone `mongod`; the one on PATH needs no installation. */
const secantus = findOnPath('secantusd-rs', process.env);

const testOnServer = secantus === undefined ? test.skip : test;

testOnServer(
  'the platform does not connect to a stand-alone server, and says how to make a replica set',
  async () => {
    const directory = temporaryDirectory();
    const server = await startServerProcess({
      name: 'stand-alone',
      command: String(secantus),
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
  },
);
