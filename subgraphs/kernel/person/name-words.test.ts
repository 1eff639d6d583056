import { describe, expect, test } from '@jest/globals';
import { nameWords } from './name-words.ts';

describe('The words of names', () => {
  test.each([
    ['MARÍA DEL CARMEN', ['maria', 'del', 'carmen']],
    ['Mari\u0301a', ['maria']],
    ['Jean-Luc', ['jean', 'luc']],
    ['Jean\u2011Luc \u2013 Picard', ['jean', 'luc', 'picard']],
    ["O'Neil O’Neil ONeil", ['oneil']],
    ['Nuñez\u00a0Peña', ['nunez', 'pena']],
    ['Strauß STRAUSS', ['strauss']],
    ['İpek ipek Işık', ['ipek', 'isik']],
    ['ΟΔΥΣΣΕΥΣ Οδυσσεύς', ['οδυσσευς']],
    ['Ｊｏｓé', ['jose']],
    ['J', ['j']],
    ['Ольга Петрова', ['ольга', 'петрова']],
    ['山田 太郎', ['山田', '太郎']],
    ['فاطمة محمّد', ['فاطمة', 'محمد']],
    [' - . ', []],
  ])('of %p are %p', (name, words) => {
    expect(nameWords([name])).toEqual(words);
  });

  test('of several names are each there once, 16 at most', () => {
    expect(nameWords(['Ana María', 'Ruiz', 'ana'])).toEqual(['ana', 'maria', 'ruiz']);
    const long = Array.from({ length: 50 }, (_, index) => `w${'x'.repeat(index)}`).join(' ');
    expect(nameWords([long])).toHaveLength(16);
  });
});
