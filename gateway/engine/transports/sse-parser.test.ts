import { describe, expect, test } from '@jest/globals';
import { createEventStreamParser } from './sse-parser.ts';

describe('the parser of event streams', () => {
  const TEXT =
    ': hello\r\nevent: next\r\ndata: a\r\ndata:b\r\n\r\ndata\n\nid: 1\nevent:x\rdata: c\r\rdata: cut';
  const EVENTS = [
    { event: 'next', data: 'a\nb' },
    { event: 'message', data: '' },
    { event: 'x', data: 'c' },
  ];

  test.each([1, 2, 3, 7, 1_000])('reads pieces of %i characters', (size) => {
    const parse = createEventStreamParser();
    const pieces = TEXT.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
    expect(pieces.flatMap((piece) => parse(piece))).toEqual(EVENTS);
  });

  test('reads the largest event in small pieces, each of them once', () => {
    const parse = createEventStreamParser();
    const piece = 'x'.repeat(4_096);
    const events = [
      parse('data: '),
      ...Array.from({ length: 8_192 }, () => parse(piece)),
      parse('\n\n'),
    ].flat();
    expect(events.map(({ data }) => data.length)).toEqual([8_192 * 4_096]);
  });

  test('returns an event that has a type and no data', () => {
    const parse = createEventStreamParser();
    expect(parse('event: complete\n\n')).toEqual([{ event: 'complete', data: '' }]);
  });
});
