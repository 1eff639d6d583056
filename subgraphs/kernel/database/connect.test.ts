import { describe, expect, test } from '@jest/globals';
import { connect, issueOf } from './connect.ts';

test('writes are acknowledged by a majority and journalled', async () => {
  const uri = process.env.TEST_MONGODB_URI!.replace(/&retryWrites=\w+/, '');
  const connection = await connect(
    `${uri}${uri.includes('?') ? '&' : '?'}w=majority&appName=other`,
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

describe('a URI that contradicts what the product promises is refused before anything is sent', () => {
  test.each([
    [
      'readPreference=secondaryPreferred',
      /sets readPreference, but a secondary may answer .* write readPreference=primary\.$/,
    ],
    ['readPreferenceTags=dc:north', /sets readPreferenceTags, .* Remove it\.$/],
    ['maxStalenessSeconds=90', /sets maxStalenessSeconds/],
    ['readConcernLevel=majority', /sets readConcernLevel, .* write readConcernLevel=local\.$/],
    ['W=1', /sets W, but an acknowledged payment must survive the loss of a member\. .*W=majority/],
    ['w=0', /sets w/],
    ['journal=false', /sets journal, .* power cut/],
    ['j=false', /sets j/],
    [
      'wTimeoutMS=500',
      /sets wTimeoutMS, but a write that fails by this time-out may have happened\. Remove it\.$/,
    ],
    ['appName=x&wtimeout=500', /sets wtimeout/],
    ['w=1&readPreference=nearest', /sets w, .* It also sets readPreference, /],
  ])('%s', async (option, words) => {
    const refused: Error = await connect(`mongodb://ann:hunter2@127.0.0.1:1/x?${option}`, 'x').catch(
      (error) => error,
    );
    expect(refused.message).toMatch(words);
    expect(refused.message).toMatch(/^mongodb:\/\/\*\*\*@127\.0\.0\.1:1\/x sets/);
  });
});

describe('a server that the product cannot use is refused with the reason', () => {
  const set = { setName: 'rs0', maxWireVersion: 25 };
  const build = { version: '8.0.4' };
  const uri = 'mongodb://db.test/x';

  test.each([
    ['a stand-alone server', uri, { maxWireVersion: 25 }, build, /^is a stand-alone server\..*--replSet/],
    [
      'an old server',
      uri,
      { ...set, maxWireVersion: 17 },
      { version: '6.0.20' },
      /^is MongoDB 6\.0\.20\..*7\.0 or later/,
    ],
    ['a server without a version', uri, { setName: 'rs0' }, build, /7\.0 or later/],
    ['an old mongos', uri, { msg: 'isdbgrid', maxWireVersion: 17 }, { version: '6.0.20' }, /7\.0 or later/],
    [
      'a URI without retries',
      `${uri}?retryWrites=false`,
      set,
      build,
      /^sets retryWrites=false.*Remove it\.$/,
    ],
  ])('%s', (_name, of, hello, built, words) => {
    expect(issueOf(of, hello, built)).toMatch(words);
  });

  test.each([
    ['a replica set of MongoDB 7.0', uri, { ...set, maxWireVersion: 21 }, { version: '7.0.0' }],
    ['a sharded cluster', uri, { msg: 'isdbgrid', maxWireVersion: 25 }, build],
    ['SecantusDB without retries', `${uri}?retryWrites=false`, set, { ...build, secantusVersion: '0.7' }],
  ])('%s is used', (_name, of, hello, built) => {
    expect(issueOf(of, hello, built)).toBeUndefined();
  });
});
