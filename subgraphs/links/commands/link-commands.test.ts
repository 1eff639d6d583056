import { expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { readFulfilDataRequest } from './link-commands.ts';

test('an answer to a data request names every member of its user data, whatever it is called', () => {
  const userData = '{"dob":"1990-01-31","__proto__":1,"constructor":null,"nick":"Bo"}';
  expect(readFulfilDataRequest(parse(`{"referenceId":"u-1","userData":${userData}}`))).toMatchObject({
    ok: true,
    value: { referenceId: 'u-1', fields: ['dob', '__proto__', 'constructor', 'nick'] },
  });
});
