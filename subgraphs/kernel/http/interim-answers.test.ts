import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { removeInterimAnswers } from './interim-answers.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX: 1\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Reads after each chunk, as undici does. */
function readAll(chunks: readonly string[]) {
  const socket = new PassThrough();
  const statuses: number[] = [];
  const expectAnswer = removeInterimAnswers(socket, (statusCode) => statuses.push(statusCode));
  const write = (text: string) => {
    socket.write(text, 'latin1');
    const read: unknown = socket.read();
    return read instanceof Buffer ? read.toString('latin1') : '';
  };
  return { text: chunks.map(write).join(''), statuses, write, expectAnswer };
}

describe('interim answers', () => {
  test.each([
    ['none', [OK]],
    ['a 100', [CONTINUE + OK]],
    ['several, by themselves', [CONTINUE, HINTS, CONTINUE, OK]],
    ['one whose lines end with LF alone', ['HTTP/1.1 103 Early Hints\nLink: </a>\n\n', OK]],
    ['one with lines of both ends, byte by byte', [...`HTTP/1.1 103 Early Hints\r\nLink: </a>\n\r\n${OK}`]],
    ['several, byte by byte', [...(HINTS + CONTINUE + OK)]],
  ])('are removed before an answer: %s', (_name, chunks) => {
    expect(readAll(chunks)).toMatchObject({ text: OK, statuses: [200] });
  });

  test('are removed before each answer of a connection, and never from within one', () => {
    const { write, expectAnswer, statuses } = readAll([OK]);
    expect(write(CONTINUE)).toBe(CONTINUE);
    expectAnswer();
    expect(write(CONTINUE + OK)).toBe(OK);
    expect(statuses).toEqual([200, 200]);
  });

  test.each([
    ['101', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', [101]],
    ['another protocol', 'SSH-2.0-server\r\n', []],
    ['a line that does not end', 'HTTP/1.1 200 '.padEnd(70_000, 'x'), []],
    ['an interim answer that does not end', 'HTTP/1.1 100 Continue\r\nX: '.padEnd(70_000, 'x'), []],
  ])('do not include %s, which passes as it is', (_name, text, statuses) => {
    expect(readAll([text])).toMatchObject({ text, statuses });
  });
});
