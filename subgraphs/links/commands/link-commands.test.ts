import { expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { readFulfilDataRequest, readUpdateCip } from './link-commands.ts';

test('an answer to a data request names every member of its user data, whatever it is called', () => {
  const userData = '{"dob":"1990-01-31","__proto__":1,"constructor":null,"nick":"Bo"}';
  expect(readFulfilDataRequest(parse(`{"referenceId":"u-1","userData":${userData}}`))).toMatchObject({
    ok: true,
    value: { referenceId: 'u-1', fields: ['dob', '__proto__', 'constructor', 'nick'] },
  });
});

test('texts of a checker have no card numbers, wherever they stand in its details', () => {
  const result = {
    reason: 'Card 4111 1111 1111 1111',
    pages: [{ text: '4111.1111.1111.1111' }],
    score: 0.97,
  };
  const body = { status: 'failed', provider: 'v 4111111111111111', result };
  expect(readUpdateCip(parse(JSON.stringify(body)))).toEqual({
    ok: true,
    value: {
      status: 'failed',
      provider: 'v …1111',
      result: { reason: 'Card …1111', pages: [{ text: '…1111' }], score: 0.97 },
    },
  });
});
