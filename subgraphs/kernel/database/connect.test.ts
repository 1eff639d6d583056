import { expect, test } from '@jest/globals';
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
