import { expect, test } from '@jest/globals';
import type { mongo } from 'mongoose';
import { requireFailover, stepDownAgainAndAgain } from './failover.ts';

const URI = 'mongodb://a.test,b.test,c.test/?replicaSet=rs0';
const HOSTS = ['a.test:27017', 'b.test:27017', 'c.test:27017'];
const CLUSTER = { cluster: true };
const user = (resource: object, ...actions: readonly string[]) => ({
  authenticatedUsers: [{ user: 'ana', db: 'admin' }],
  authenticatedUserPrivileges: [{ resource, actions }],
});

/** A server that answers `hello` and `connectionStatus`. */
function server(hello: object, authInfo: object): mongo.Db {
  const command = async (asked: object) => ('hello' in asked ? hello : { authInfo });
  // The cast: two commands are all that it takes.
  return { admin: () => ({ command }) } as unknown as mongo.Db;
}

test.each([
  ['without users', { hosts: HOSTS }, { authenticatedUsers: [], authenticatedUserPrivileges: [] }],
  ['with the right', { hosts: HOSTS }, user(CLUSTER, 'replSetStateChange', 'serverStatus')],
  ['with every right', { hosts: HOSTS }, user({ anyResource: true }, 'anyAction')],
])('A replica set %s may fail over', async (_what, hello, authInfo) => {
  await expect(requireFailover(URI, server(hello, authInfo))).resolves.toBeUndefined();
});

test.each([
  ['a direct connection', `${URI}&directConnection=true`, { hosts: HOSTS }, {}, 'without directConnection'],
  ['a router', URI, { msg: 'isdbgrid' }, {}, 'router of a sharded cluster'],
  ['two members', URI, { hosts: HOSTS.slice(1) }, {}, 'This one has 2'],
  ['a user without the right', URI, { hosts: HOSTS }, user(CLUSTER, 'serverStatus'), 'clusterManager'],
  [
    'a right on a database only',
    URI,
    { hosts: HOSTS },
    user({ db: 'a', collection: '' }, 'replSetStateChange'),
    'clusterManager',
  ],
])('%s may not fail over, and the error says why', async (_what, uri, hello, authInfo, words) => {
  await expect(requireFailover(uri, server(hello, authInfo))).rejects.toThrow(words);
});

test('The primary does not step down after the load is over', async () => {
  const over = new AbortController();
  setTimeout(() => over.abort(), 20);
  // Nothing listens there: an attempt would wait for a server.
  const stepDowns = stepDownAgainAndAgain('mongodb://127.0.0.1:1/', 30, over.signal);
  await expect(stepDowns).rejects.toThrow('never stepped down: the load was over before');
});
