import { expect, test } from '@jest/globals';
import { readStatusUpdate } from './update-status.ts';

test('every issue of a body is answered', () => {
  expect(readStatusUpdate({ status: 'paid', statusDetails: '' })).toMatchObject({
    failures: [
      { code: 'VALIDATION_FAILED', message: 'is required', path: ['partnerId'] },
      {
        code: 'VALIDATION_FAILED',
        message: expect.stringMatching(/^must be one of Sent,/),
        path: ['status'],
      },
      { code: 'VALIDATION_FAILED', path: ['statusDetails'] },
    ],
  });
});

test('a body that is no JSON is one issue', () => {
  expect(readStatusUpdate(undefined)).toMatchObject({
    failures: [{ code: 'VALIDATION_FAILED', message: 'must be a JSON object', path: [] }],
  });
});
