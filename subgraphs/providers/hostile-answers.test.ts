import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { holdCallTimes } from '../../test/support/held-time.ts';
import { until } from '../../test/support/until.ts';
import { answerOf, CALL, useProviderStand } from './testing.ts';

const { listen, listenRaw, endpointAt } = useProviderStand();

describe('an answer belongs to the call that was sent on its connection', () => {
  const results = async (url: string, times: number) => {
    const endpoint = endpointAt(url);
    const seen: unknown[] = [];
    for (let call = 1; call <= times; call += 1) {
      const exchanged = await endpoint.post(CALL);
      seen.push(exchanged.kind === 'answered' ? exchanged.body : exchanged.kind);
    }
    return seen;
  };
  const REFUSED = { result: 'refused' };
  const ACCEPTED = { result: 'accepted' };

  test('one that comes late and unasked is not taken for that of the next call', async () => {
    const { url, sockets } = await listenRaw({
      requested: (socket, nth) => {
        socket.write(answerOf(nth === 1 ? 'accepted' : 'refused'));
        setImmediate(() => socket.write(answerOf('accepted')));
      },
    });
    expect(await results(url, 5)).toEqual([ACCEPTED, REFUSED, REFUSED, REFUSED, REFUSED]);
    await until('no connection is kept', () => sockets.size === 0);
  });

  test('an answer that a provider keeps for the next call on the connection is never read', async () => {
    let former: Socket | undefined;
    const { url } = await listenRaw({
      requested: (socket, nth) => {
        former?.write(answerOf('accepted'));
        former = socket;
        socket.write(answerOf(nth === 1 ? 'accepted' : 'refused'));
      },
    });
    expect(await results(url, 3)).toEqual([ACCEPTED, REFUSED, REFUSED]);
  });

  test.each([
    ['a second one', answerOf('refused')],
    ['other bytes', 'more'],
  ])('%s behind it closes the connection', async (_what, more) => {
    const { url, sockets } = await listenRaw({
      requested: (socket) => socket.write(answerOf('accepted') + more),
    });
    expect(await results(url, 2)).toEqual([ACCEPTED, ACCEPTED]);
    await until('no connection is kept', () => sockets.size === 0);
  });

  test('one that was there before the call is not accepted', async () => {
    let asked = 0;
    const { url, sockets } = await listenRaw({
      connected: (socket) => {
        socket.write(answerOf('accepted'));
      },
      requested: (socket) => {
        asked += 1;
        socket.write(answerOf('refused'));
      },
    });
    expect(await endpointAt(url).post(CALL)).toEqual({ kind: 'unreachable', notSent: true });
    expect(asked).toBe(0);
    await until('the connection is closed', () => sockets.size === 0);
  });

  test('a provider that closes behind its answer is understood, whatever it says of the connection', async () => {
    for (const more of ['', 'Connection: close\r\n', 'Connection: keep-alive\r\n']) {
      const { url } = await listenRaw({ requested: (socket) => socket.end(answerOf('accepted', more)) });
      expect(await results(url, 2)).toEqual([ACCEPTED, ACCEPTED]);
    }
  });
});

describe('the parts of a call that its answer repeats', () => {
  const bodyOf = async (body: string, headers = {}) => {
    const url = await listen((_request, response) => response.writeHead(200, headers).end(body));
    const exchanged = await endpointAt(url).post({ ...CALL, operationId: 'corr-1' });
    return exchanged.kind === 'answered' ? exchanged.body : exchanged.kind;
  };

  test.each([
    ['operationId', '"operationId":"corr-2"'],
    ['operationId of another type', '"operationId":{}'],
    ['tenantId', '"tenantId":"globex"'],
    ['idempotencyKey', '"idempotencyKey":"acme:corr-2:REQUEST_MONEY"'],
    ['amount', '"amount":"82.18"'],
    ['amount as a number', '"amount":82.190000000000000001'],
    ['amount with an exponent', '"amount":8.219e+2'],
    ['amount that is no number', '"amount":"82,19"'],
    ['currency', '"currency":"MXN"'],
  ])('another %s: the answer is not used', async (_what, member) => {
    expect(await bodyOf(`{"result":"accepted",${member}}`)).toBeUndefined();
  });

  test('another Idempotency-Key in its header: the answer is not used', async () => {
    expect(await bodyOf('{"result":"accepted"}', { 'Idempotency-Key': 'acme:corr-2:CIP' })).toBeUndefined();
  });

  test.each([
    '"operationId":"corr-1","tenantId":"acme","idempotencyKey":"acme:corr-1:REQUEST_MONEY"',
    '"amount":"82.19","currency":"USD"',
    '"amount":82.190,"operationId":null',
    '"amount":8.219e+1',
    '"amount":null',
    '"recipientAmount":"5"',
  ])('%s: the answer is used', async (members) => {
    expect(await bodyOf(`{"result":"accepted",${members}}`)).toMatchObject({ result: 'accepted' });
  });

  test('two values under one name are no JSON', async () => {
    expect(await bodyOf('{"result":"accepted","result":"refused"}')).toBeUndefined();
  });
});

test.each([
  ['a body that grows without end', (socket: Socket) => flood(socket)],
  [
    'headers without end',
    (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
  ],
  ['two lengths', (socket: Socket) => socket.write(answerOf('accepted', 'Content-Length: 3\r\n'))],
  ['a body that breaks off', (socket: Socket) => socket.end(answerOf('accepted').slice(0, -2))],
  ['no HTTP', (socket: Socket) => socket.end('hello')],
])('%s is no answer', async (_what, answer) => {
  const { url } = await listenRaw({ requested: answer });
  expect(await endpointAt(url).post(CALL)).toEqual({ kind: 'unreachable' });
});

test('an answer that drips is a time-out', async () => {
  const times = holdCallTimes();
  let drops = 0;
  const { url } = await listenRaw({
    requested: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const timer = setInterval(() => {
        drops += 1;
        socket.write(' ');
      }, 5);
      socket.on('close', () => clearInterval(timer));
    },
  });
  const call = endpointAt(url).post(CALL);
  await until('some of it', () => drops > 3);
  times.end();
  times.release();
  expect(await call).toEqual({ kind: 'timeout' });
});

function flood(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  const more = (): void => {
    while (!socket.destroyed && socket.write(`400\r\n${' '.repeat(1_024)}\r\n`)) {
      // As much as the connection takes.
    }
  };
  socket.on('drain', more);
  more();
}
