import { expect, test } from '@jest/globals';
import { missingFields } from '../../../subgraphs/links/user-data.ts';
import { wordsOfField } from './user-data.ts';

test('every field that an identity check may miss has words in both languages', () => {
  const missing = missingFields({});
  expect(missing).toContain('idType');
  for (const field of missing) {
    const [english, spanish] = [wordsOfField(field, 'en'), wordsOfField(field, 'es')];
    expect(english).not.toBe(spanish);
    expect([english, spanish].join()).not.toMatch(/[a-z][A-Z]|dob/);
  }
});

test('a field without words is shown by its name', () => {
  expect([wordsOfField('toString', 'es'), wordsOfField('shoeSize', 'en')]).toEqual(['toString', 'shoeSize']);
});
