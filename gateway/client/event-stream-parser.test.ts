import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createEventStreamParser } from './event-stream-parser.ts';

const parse = (...parts: string[]) => {
  const parser = createEventStreamParser();
  return { events: parts.flatMap((part) => parser.push(part)), retryMs: parser.retryMs() };
};

test('events have a type and the lines of their data', () => {
  const text = ':\n\nid: c1\nevent: next\ndata: {"a":1}\ndata:two\n\nevent: complete\ndata\n\n';
  expect(parse(text).events).toEqual([
    { type: 'next', data: '{"a":1}\ntwo' },
    { type: 'complete', data: '' },
  ]);
});

test('an event without data or without an end is ignored, one without a type is a message', () => {
  expect(parse('event: next\n\ndata: 1\n\ndata: 2\n').events).toEqual([{ type: 'message', data: '1' }]);
});

test('the latest reconnection time is kept, if it is a number', () => {
  expect(parse('retry: 1500\n\nretry: soon\n\n')).toEqual({ events: [], retryMs: 1500 });
});

test('the events are the same for all cuts of a stream and all line endings', () => {
  const pieces = fc.array(fc.constantFrom('event: next', 'data: a: b', 'data:  ä', ': ping', '', ''));
  const cuts = fc.array(fc.constantFrom(1, 2, 3, 7));
  expect(() =>
    fc.assert(
      fc.property(pieces, fc.constantFrom('\n', '\r\n', '\r'), cuts, (lines, end, lengths) => {
        const text = `${lines.join(end)}${end}${end}x`;
        const parts: string[] = [];
        let rest = text;
        for (const length of lengths) {
          parts.push(rest.slice(0, length));
          rest = rest.slice(length);
        }
        expect(parse(...parts, rest)).toEqual(parse(text.replaceAll(end, '\n')));
      }),
    ),
  ).not.toThrow();
});
