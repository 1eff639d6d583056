import { expect, test } from '@jest/globals';
import { redactUrls } from './redact.ts';

test.each([
  ['https://api.test/check', 'https://api.test/***'],
  ['https://api.test/', 'https://api.test/'],
  ['wss://api.test/v1/secret-token', 'wss://api.test/***'],
  ['file:///srv/app/main.js:10', 'file:///srv/app/main.js:10'],
  ['https://user:hunter2@api.test:8443/check', 'https://***@api.test:8443/***'],
  ['https://api.test/check?token=hunter2&x=1#y', 'https://api.test/***?***'],
  ['https://api.test#hunter2', 'https://api.test#***'],
  ['mongodb+srv://u:p@ss/hunter2@a.test,b.test/x?authSource=admin', 'mongodb+srv://***@a.test,b.test/x?***'],
  [
    'Failed to parse "https://u:hunter2@a.test/x?y", then http://b.test?key=hunter2 too',
    'Failed to parse "https://***@a.test/***?***", then http://b.test?*** too',
  ],
  ['no URL: a@b.test?c', 'no URL: a@b.test?c'],
])('%s is shown as %s', (text, shown) => {
  expect(redactUrls(text)).toBe(shown);
});
